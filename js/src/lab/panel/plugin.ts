import type { Application, Disposable, Palette, Settings, Shell, Token } from "../host";
import { loadAll, type ShareScope } from "../shared";
import type { Listing } from "./listing";
import { ID, makePanel, type StudyPanel } from "./panel";
import style from "./style.css";

const PLUGIN = "tauscope:panel";
const OPEN_PANEL = "tauscope:open-panel";
const OPEN_STUDY = "tauscope:open-study";
const CATEGORY = "Tauscope";
/** Below what comes with JupyterLab. */
const RANK = 900;

/**
 * The panel's plugin, of the packages that the page shares.
 *
 * All it stands on is optional, and looked for only where there is a shell with sidebars: in Notebook and in Voila it
 * does nothing.
 */
export function panelPlugin(scope: ShareScope, shellToken: Token<Shell>) {
  return {
    id: PLUGIN,
    description: "A panel with the studies of the active notebook.",
    autoStart: true,
    optional: [shellToken],
    async activate(app: Application, shell: Shell | null): Promise<void> {
      const modules = shell && (await loadAll(scope));
      if (!shell || !modules) return;
      const tracker = await app.resolveOptionalService(modules.notebook.INotebookTracker);
      if (!tracker) return;
      const palette = await app.resolveOptionalService(modules.apputils.ICommandPalette);
      const restorer = await app.resolveOptionalService(modules.application.ILayoutRestorer);
      const registry = await app.resolveOptionalService(modules.settings.ISettingRegistry);

      addStyle();
      const panel = makePanel(modules, tracker, palette ? listIn(palette) : () => undefined);
      shell.add(panel.widget, "right", { rank: RANK });
      restorer?.add(panel.widget, ID);
      addCommands(app, panel, () => {
        panel.turnTo(tracker.currentWidget);
        shell.activateById(ID);
      });
      palette?.addItem({ command: OPEN_PANEL, category: CATEGORY });
      registry?.load(PLUGIN).then(
        (settings) => obey(settings, panel, () => app.restored.then(() => shell.activateById(ID))),
        () => undefined, // settings that cannot be read leave the defaults
      );
    },
  };
}

function addStyle(): void {
  const element = document.createElement("style");
  element.textContent = style;
  document.head.append(element);
}

function addCommands({ commands }: Application, panel: StudyPanel, activate: () => void): void {
  commands.addCommand(OPEN_PANEL, {
    label: () => "Tauscope: open the panel",
    execute: activate,
  });
  commands.addCommand(OPEN_STUDY, {
    label: ({ name }) => `Tauscope: open workspace of ${name ?? "a study"}`,
    execute: ({ name }) => {
      activate();
      return panel.open(String(name));
    },
  });
}

/** Keep a command in the palette for each study listed. */
function listIn(palette: Palette): (studies: Listing["studies"]) => void {
  let items: readonly Disposable[] = [];
  let listed = "";
  return (studies) => {
    const names = studies.map(({ name }) => name);
    if (names.join() === listed) return;
    listed = names.join();
    for (const item of items) item.dispose();
    items = names.map((name) => palette.addItem({ command: OPEN_STUDY, category: CATEGORY, args: { name } }));
  };
}

function obey(settings: Settings, panel: StudyPanel, openOnStart: () => void): void {
  const follow = () => panel.setFollowing(settings.composite.followActiveNotebook !== false);
  follow();
  settings.changed.connect(follow);
  if (settings.composite.openOnStart === true) openOnStart();
}
