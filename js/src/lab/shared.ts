// Decided in docs/decisions/0027-the-panel-takes-jupyterlabs-packages-from-the-page.md.
import type { Modules } from "./host";

/** What the page shares with its extensions: versions of each package, and how to get one. */
export type ShareScope = Readonly<
  Record<string, Readonly<Record<string, { get(): Promise<() => unknown> | (() => unknown) }>>>
>;

const PACKAGES: Readonly<Record<keyof Modules, string>> = {
  notebook: "@jupyterlab/notebook",
  application: "@jupyterlab/application",
  apputils: "@jupyterlab/apputils",
  settings: "@jupyterlab/settingregistry",
  components: "@jupyterlab/ui-components",
  outputs: "@jupyterlab/outputarea",
  widgets: "@lumino/widgets",
};

/** The page's own copy of one of JupyterLab's packages; undefined where the page has none. */
export async function load<Name extends keyof Modules>(
  scope: ShareScope,
  name: Name,
): Promise<Modules[Name] | undefined> {
  const [shared] = Object.values(scope[PACKAGES[name]] ?? {});
  return shared && ((await shared.get())() as Modules[Name]);
}

/** All that the panel is made of; undefined where one is missing, as in Notebook or Voila. */
export async function loadAll(scope: ShareScope): Promise<Modules | undefined> {
  const names = Object.keys(PACKAGES) as (keyof Modules)[];
  const modules = await Promise.all(names.map(async (name) => [name, await load(scope, name)] as const));
  return modules.every(([, module]) => module !== undefined)
    ? (Object.fromEntries(modules) as unknown as Modules)
    : undefined;
}
