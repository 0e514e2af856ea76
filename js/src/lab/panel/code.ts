import type { FrameName, Listing } from "./listing";

export interface Choice {
  readonly model: string;
  readonly data: string;
  /** Empty for a study of predictions alone. */
  readonly target: string;
}

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u;

export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/** Refuse what is no name: a name is all that is ever written into code. */
function checked(name: string): string {
  if (!isIdentifier(name)) throw new Error(`${JSON.stringify(name)} is not a name of Python.`);
  return name;
}

/** The cell that makes a study, as a person would write it. */
export function codeOfStudy(choice: Choice, { module, free }: Pick<Listing, "module" | "free">): string {
  const given = [choice.model, choice.data, ...(choice.target === "" ? [] : [choice.target])].map(checked);
  const made = `${checked(free)} = ${checked(module ?? "tauscope")}.Study(${given.join(", ")})`;
  return module === null ? `import tauscope\n\n${made}` : made;
}

export const IMPORT = "import tauscope as ts";

/** What displays a study, without a name or an output of its own left in the kernel. */
export function codeOfDisplay(name: string): string {
  return `__import__("IPython.display", fromlist=["display"]).display(${checked(name)})`;
}

/** What was made last fits best; of its data those named for a test, then those its size fits. */
export function suggest({ models, frames, columns }: Listing): Choice {
  const model = models.at(-1);
  const fitting = frames.filter(({ n_columns }) => model?.n_columns == null || n_columns === model.n_columns);
  const data = preferTest(fitting.length ? fitting : frames);
  const target = preferTest(data ? columns.filter(({ n_rows }) => n_rows === data.n_rows) : []);
  return { model: model?.name ?? "", data: data?.name ?? "", target: target?.name ?? "" };
}

function preferTest<Named extends Pick<FrameName, "name">>(named: readonly Named[]): Named | undefined {
  return named.find(({ name }) => /test|valid/i.test(name)) ?? named.at(-1);
}

/** The columns that can be the target of some data: those of as many rows. */
export function targetsOf(listing: Listing, data: string): readonly string[] {
  const n_rows = listing.frames.find(({ name }) => name === data)?.n_rows;
  return listing.columns.filter((column) => column.n_rows === n_rows).map(({ name }) => name);
}
