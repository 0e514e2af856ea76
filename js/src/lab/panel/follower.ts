import type { Area, Kernel, Modules, Notebook, Panel } from "../host";
import { codeOfDisplay } from "./code";
import { askListing } from "./listing";
import { begin, closed, failed, listed, lose, lossOf, opened, opening, type State } from "./state";

/** One notebook as the panel follows it: what its kernel holds, and the study shown of it. */
export type Follower = ReturnType<typeof follow>;

export interface Surroundings {
  readonly modules: Pick<Modules, "notebook" | "outputs">;
  /** Where the study is shown. */
  readonly place: Panel;
  isLookedAt(notebook: Notebook): boolean;
  changed(): void;
}

/** One notebook as the panel follows it: what its kernel holds, and the study shown of it. */
export function follow(notebook: Notebook, { modules, place, isLookedAt, changed }: Surroundings) {
  const session = notebook.sessionContext;
  let state = begin(notebook.context.path);
  let area: Area | undefined;
  let hidden = false;
  let disposed = false;
  let stale = true;
  let asking = false;

  function set(next: State): void {
    if (disposed) return;
    state = next;
    changed();
  }

  function drop(): void {
    area?.dispose();
    area = undefined;
  }

  function kernelOf(): Kernel | null {
    return session.session?.kernel ?? null;
  }

  async function ask(): Promise<void> {
    stale = true;
    if (asking || disposed || !isLookedAt(notebook)) return;
    const kernel = kernelOf();
    if (!kernel) return set({ ...state, kernel: "none", listing: undefined });
    asking = true;
    stale = false;
    // a kernel that restarts answers nothing; it is asked again when it is idle
    const listing = await askListing(kernel).catch(() => undefined);
    asking = false;
    if (listing === undefined || kernel !== kernelOf()) stale = true;
    else {
      set(listed(state, listing));
      if (stale) void ask();
    }
  }

  async function open(name: string): Promise<void> {
    const kernel = kernelOf();
    if (!kernel) return set({ ...closed(state), kernel: "none" });
    drop();
    const { OutputAreaModel, SimplifiedOutputArea } = modules.outputs;
    const made = new SimplifiedOutputArea({
      model: new OutputAreaModel({ trusted: true }),
      rendermime: notebook.content.rendermime,
    });
    area = made;
    made.setHidden(hidden);
    place.addWidget(made);
    const study = state.listing?.studies.find((listed) => listed.name === name);
    set(opening(state, { name, key: study?.key ?? "" }));
    const future = kernel.requestExecute({
      code: codeOfDisplay(name),
      store_history: false,
      allow_stdin: false,
      stop_on_error: false,
    });
    made.future = future;
    const reply = await future.done.catch(() => undefined);
    if (area !== made || !reply) return;
    if (reply.content.status === "ok") return set(opened(state));
    drop();
    const { ename, evalue } = reply.content;
    set(failed(state, ename === "NameError" ? `There is no ${name} in this kernel.` : `${ename}: ${evalue}`));
    void ask();
  }

  function onStatus(_: unknown, status: string): void {
    const why = lossOf(status);
    if (why) leave(why);
    else if (status === "idle" && stale) void ask();
  }

  function onKernel(_: unknown, { newValue }: { readonly newValue: Kernel | null }): void {
    leave(newValue ? "changed" : "stopped");
  }

  function leave(why: Parameters<typeof lose>[1]): void {
    stale = true;
    drop();
    set(lose(state, why));
  }

  function onExecuted(_: unknown, { notebook: content }: { readonly notebook: unknown }): void {
    if (content === notebook.content) void ask();
  }

  function onPath(_: unknown, path: string): void {
    set({ ...state, path });
  }

  const { executed } = modules.notebook.NotebookActions;
  session.statusChanged.connect(onStatus);
  session.kernelChanged.connect(onKernel);
  notebook.context.pathChanged.connect(onPath);
  executed.connect(onExecuted);
  void session.ready.then(ask);

  return {
    notebook,
    state: () => state,
    /** Ask the kernel for its names, now or as soon as the panel is looked at. */
    ask: () => void ask(),
    open,
    close() {
      drop();
      set(closed(state));
    },
    setHidden(now: boolean) {
      hidden = now;
      area?.setHidden(now);
      if (!now && stale) void ask();
    },
    dispose() {
      disposed = true;
      drop();
      session.statusChanged.disconnect(onStatus);
      session.kernelChanged.disconnect(onKernel);
      notebook.context.pathChanged.disconnect(onPath);
      executed.disconnect(onExecuted);
    },
  };
}
