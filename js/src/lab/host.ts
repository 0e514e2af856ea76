/** What is used of JupyterLab, whose packages are not built with: their code comes from the page. */
import type { RenderMime } from "./still";

export interface Signal<Sender, Args> {
  connect(slot: (sender: Sender, args: Args) => void): boolean;
  disconnect(slot: (sender: Sender, args: Args) => void): boolean;
}

export interface Disposable {
  readonly isDisposed: boolean;
  dispose(): void;
}

/** Lumino's widget. */
export interface Widget extends Disposable {
  id: string;
  readonly node: HTMLElement;
  readonly isVisible: boolean;
  readonly title: { icon: unknown; caption: string; label: string };
  readonly disposed: Signal<Widget, undefined>;
  addClass(name: string): void;
  setHidden(hidden: boolean): void;
}

export interface Panel extends Widget {
  addWidget(widget: Widget): void;
  onAfterShow: (message: unknown) => void;
  onAfterAttach: (message: unknown) => void;
}

/** A reply's values of what was asked beside the code, by the names they were asked under. */
export interface Answer {
  readonly status: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly content: {
    readonly status: string;
    readonly ename?: string;
    readonly evalue?: string;
    readonly user_expressions?: Readonly<Record<string, Answer>>;
  };
}

export interface Future extends Disposable {
  readonly done: Promise<Reply>;
}

export interface ExecuteRequest {
  readonly code: string;
  readonly silent?: boolean;
  readonly store_history: boolean;
  readonly allow_stdin: boolean;
  readonly stop_on_error: boolean;
  readonly user_expressions?: Readonly<Record<string, string>>;
}

export interface Kernel {
  readonly info: Promise<{ readonly language_info: { readonly name: string } }>;
  requestExecute(content: ExecuteRequest): Future;
}

export interface Session {
  readonly ready: Promise<void>;
  readonly session: { readonly kernel: Kernel | null } | null;
  readonly statusChanged: Signal<Session, string>;
  readonly kernelChanged: Signal<Session, { readonly newValue: Kernel | null }>;
}

export interface NotebookContent {
  readonly rendermime: RenderMime;
  readonly activeCell: { readonly model: { readonly sharedModel: { setSource(code: string): void } } } | null;
}

/** A notebook's tab. */
export interface Notebook extends Widget {
  readonly content: NotebookContent;
  readonly context: { readonly path: string; readonly pathChanged: Signal<unknown, string> };
  readonly sessionContext: Session;
}

export interface Tracker {
  readonly currentWidget: Notebook | null;
  readonly currentChanged: Signal<Tracker, Notebook | null>;
}

export interface Area extends Widget {
  future: Future;
}

export interface Settings {
  readonly composite: Readonly<Record<string, unknown>>;
  readonly changed: Signal<Settings, void>;
}

export interface Shell {
  add(widget: Widget, area: "right", options: { rank: number }): void;
  activateById(id: string): void;
}

export interface Command {
  label(args: Readonly<Record<string, unknown>>): string;
  execute(args: Readonly<Record<string, unknown>>): unknown;
}

export interface Application {
  readonly restored: Promise<void>;
  readonly commands: { addCommand(id: string, command: Command): Disposable };
  readonly docRegistry?: {
    addWidgetExtension(
      factory: string,
      extension: { createNew(panel: { content: { rendermime: RenderMime } }): void },
    ): unknown;
  };
  resolveOptionalService<Service>(token: Token<Service>): Promise<Service | null>;
}

export interface Palette {
  addItem(item: { command: string; category: string; args?: Readonly<Record<string, unknown>> }): Disposable;
}

/** What a plugin asks an application for; the type of what it stands for is ours to know. */
export interface Token<Service> {
  readonly name: string;
  readonly service?: Service;
}

/** The modules of the page that the panel is made of. */
export interface Modules {
  readonly notebook: {
    readonly INotebookTracker: Token<Tracker>;
    readonly NotebookActions: {
      readonly executed: Signal<unknown, { readonly notebook: NotebookContent }>;
      insertBelow(notebook: NotebookContent): void;
      run(notebook: NotebookContent, session: Session): Promise<boolean>;
    };
  };
  readonly application: {
    readonly ILabShell: Token<Shell>;
    readonly ILayoutRestorer: Token<{ add(widget: Widget, name: string): void }>;
  };
  readonly apputils: { readonly ICommandPalette: Token<Palette> };
  readonly settings: { readonly ISettingRegistry: Token<{ load(plugin: string): Promise<Settings> }> };
  readonly components: { readonly LabIcon: new (icon: { name: string; svgstr: string }) => unknown };
  readonly outputs: {
    readonly OutputAreaModel: new (options: { trusted: boolean }) => unknown;
    readonly SimplifiedOutputArea: new (options: { model: unknown; rendermime: RenderMime }) => Area;
  };
  readonly widgets: {
    readonly Panel: new () => Panel;
    readonly Widget: new (options: { node: HTMLElement }) => Widget;
  };
}
