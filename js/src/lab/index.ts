// Decided in docs/decisions/0026-a-notebook-without-its-kernel-shows-what-its-file-has.md.
// JupyterLab, Notebook 7 and Voila load this as a prebuilt extension: a container with our plugins in it.
import type { Application } from "./host";
import { panelPlugin } from "./panel/plugin";
import { registerStill } from "./register";
import { load, type ShareScope } from "./shared";

const still = {
  id: "tauscope:still",
  description: "Shows what a notebook's file has of a widget whose kernel is gone.",
  autoStart: true,
  activate(app: Application): void {
    app.docRegistry?.addWidgetExtension("Notebook", {
      createNew: (panel) => registerStill(panel.content.rendermime),
    });
  },
};

let scope: ShareScope = {};

const container = {
  async init(shared: ShareScope): Promise<void> {
    scope = shared;
  },
  async get() {
    const application = await load(scope, "application");
    const plugins = application ? [still, panelPlugin(scope, application.ILabShell)] : [still];
    return () => ({ __esModule: true, default: plugins });
  },
};

const page = window as unknown as { _JUPYTERLAB?: Record<string, typeof container> };
page._JUPYTERLAB ??= {};
page._JUPYTERLAB.tauscope = container;
