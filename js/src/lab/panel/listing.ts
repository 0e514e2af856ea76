import type { Kernel } from "../host";

export interface StudyName {
  readonly name: string;
  /** Another for another study under the same name. */
  readonly key: string;
  readonly model: string;
  readonly n_rows: number;
  readonly n_columns: number;
}

export interface ModelName {
  readonly name: string;
  readonly kind: string;
  readonly n_columns: number | null;
}

export interface FrameName {
  readonly name: string;
  readonly n_rows: number;
  readonly n_columns: number;
}

export interface ColumnName {
  readonly name: string;
  readonly n_rows: number;
}

/** What a kernel holds by name; the same as `tauscope.lab.listing.Listing`. */
export interface Listing {
  readonly module: string | null;
  readonly free: string;
  readonly studies: readonly StudyName[];
  readonly models: readonly ModelName[];
  readonly frames: readonly FrameName[];
  readonly columns: readonly ColumnName[];
}

/** An expression, so that no name is left behind; None where nobody imported the package. */
export const ASK =
  '__import__("tauscope.lab.listing", fromlist=["list_names"]).list_names(globals())' +
  ' if "tauscope" in __import__("sys").modules else None';

/**
 * Ask a kernel, without a trace in its history, what can be opened there.
 *
 * null where the package is not imported; "other" where the kernel's language is not Python, which is asked nothing.
 */
export async function askListing(kernel: Kernel): Promise<Listing | null | "other"> {
  const { language_info } = await kernel.info;
  if (language_info.name !== "python") return "other";
  const { done } = kernel.requestExecute({
    code: "",
    silent: true,
    store_history: false,
    allow_stdin: false,
    stop_on_error: false,
    user_expressions: { tauscope: ASK },
  });
  const { content } = await done;
  return (content.user_expressions?.tauscope?.data?.["application/json"] as Listing | undefined) ?? null;
}
