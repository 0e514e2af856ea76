import type { Listing, StudyName } from "./listing";

/** What the panel knows of one notebook. */
export interface State {
  readonly path: string;
  readonly kernel: "waiting" | "ready" | "none" | "other";
  /** null where the kernel has not imported the package; undefined before it was asked. */
  readonly listing: Listing | null | undefined;
  readonly shown: { readonly name: string; readonly key: string } | undefined;
  /** Whether what is to be shown is waited for. */
  readonly opening: boolean;
  /** What was shown when its kernel went, and what became of that. */
  readonly lost: { readonly name: string; readonly why: Loss } | undefined;
  /** What went wrong at the last attempt. */
  readonly problem: string;
}

export type Loss = "restarted" | "changed" | "stopped";

export function begin(path: string): State {
  return {
    path,
    kernel: "waiting",
    listing: undefined,
    shown: undefined,
    opening: false,
    lost: undefined,
    problem: "",
  };
}

export function listed(state: State, listing: Listing | null | "other"): State {
  if (listing === "other") return { ...state, kernel: "other", listing: undefined };
  return { ...state, kernel: "ready", listing };
}

export function opening(state: State, { name, key }: Pick<StudyName, "name" | "key">): State {
  return { ...state, shown: { name, key }, opening: true, lost: undefined, problem: "" };
}

export function opened(state: State): State {
  return { ...state, opening: false };
}

export function failed(state: State, problem: string): State {
  return { ...closed(state), problem };
}

export function closed(state: State): State {
  return { ...state, shown: undefined, opening: false, problem: "" };
}

/** The kernel went, and all that it held: nothing more is known of it until it is asked again. */
export function lose(state: State, why: Loss): State {
  return {
    ...closed(state),
    kernel: why === "stopped" ? "none" : "waiting",
    listing: undefined,
    lost: state.shown ? { name: state.shown.name, why } : state.lost,
  };
}

/** How a kernel's status tells that what it held is gone; undefined where it is still there. */
export function lossOf(status: string): Loss | undefined {
  if (status === "restarting" || status === "autorestarting") return "restarted";
  return status === "dead" || status === "terminating" ? "stopped" : undefined;
}

/** The study that can be opened with one press after a loss, or after its cell was run again. */
export function againOf({ listing, lost, shown }: State): StudyName | undefined {
  const study = listing?.studies.find(({ name }) => name === (shown ?? lost)?.name);
  return shown && study?.key === shown.key ? undefined : study;
}

/** What there is to say, one sentence or two. */
export function words(state: State | undefined): string {
  if (!state) return "Open a notebook, and its studies are listed here.";
  const { kernel, listing, shown, opening, lost, problem } = state;
  if (problem) return problem;
  if (lost) return wordsOfLoss(state, lost);
  if (shown && opening) return `Opening ${shown.name} …`;
  if (kernel === "other") return "This notebook's kernel does not run Python.";
  if (kernel === "none") return "This notebook has no kernel. Start one, and its studies are listed here.";
  if (listing === undefined) return "Waiting for the kernel …";
  if (listing === null) return "Tauscope is not imported in this notebook yet.";
  if (shown) return againOf(state) ? `${shown.name} was made again since it was opened here.` : "";
  return listing.studies.length
    ? ""
    : "No study yet. Make one of a fitted model and the rows to judge it on.";
}

function wordsOfLoss(state: State, { name, why }: NonNullable<State["lost"]>): string {
  const gone = `${name} went with the kernel, which ${why === "stopped" ? "" : "was "}${why}.`;
  if (againOf(state)) return `${gone} It is there again.`;
  const start = state.kernel === "none" ? "Start a kernel, run" : "Run";
  return `${gone} ${start} the cells that make it, then open it again.`;
}
