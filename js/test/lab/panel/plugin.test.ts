// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import type { Application, Shell } from "../../../src/lab/host";
import { panelPlugin } from "../../../src/lab/panel/plugin";
import type { ShareScope } from "../../../src/lab/shared";

const SCHEMA = "../jupyter-config/labextension/schemas/tauscope/panel.json";

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

function share(modules: Record<string, unknown>): ShareScope {
  return Object.fromEntries(
    Object.entries(modules).map(([name, module]) => [name, { "1.0.0": { get: async () => () => module } }]),
  );
}

function setUp(composite: Record<string, unknown> = {}, missing: readonly string[] = []) {
  class Widget {
    id = "";
    node = document.createElement("div");
    isVisible = false;
    title = {};
    addClass() {}
    addWidget() {}
  }
  const tokens = Object.fromEntries(
    ["INotebookTracker", "ICommandPalette", "ILayoutRestorer", "ISettingRegistry", "ILabShell"].map(
      (name) => [name, { name }],
    ),
  );
  const changes: ((sender: unknown, notebook: unknown) => void)[] = [];
  const settings = { composite, changed: { connect: vi.fn() } };
  const services: Record<string, unknown> = {
    INotebookTracker: {
      currentWidget: null,
      currentChanged: { connect: (slot: (typeof changes)[number]) => changes.push(slot) },
    },
    ICommandPalette: { addItem: vi.fn(() => ({ dispose: vi.fn() })) },
    ILayoutRestorer: { add: vi.fn() },
    ISettingRegistry: { load: vi.fn(async () => settings) },
  };
  const app = {
    restored: Promise.resolve(),
    commands: { addCommand: vi.fn() },
    resolveOptionalService: async ({ name }: { name: string }) =>
      missing.includes(name) ? null : (services[name] ?? null),
  };
  const shell = { add: vi.fn(), activateById: vi.fn() };
  const scope = share({
    "@jupyterlab/notebook": { ...tokens, NotebookActions: {} },
    "@jupyterlab/application": tokens,
    "@jupyterlab/apputils": tokens,
    "@jupyterlab/settingregistry": tokens,
    "@jupyterlab/ui-components": { LabIcon: class {} },
    "@jupyterlab/outputarea": {},
    "@lumino/widgets": { Panel: Widget, Widget },
  });
  const start = (given: unknown = shell, shared = scope) =>
    panelPlugin(shared, { name: "ILabShell" }).activate(app as unknown as Application, given as Shell | null);
  return { app, shell, services, start, scope };
}

test("the panel and its commands are there, and it stays closed", async () => {
  const { app, shell, start } = setUp();
  await start();
  await settled();
  expect(shell.add.mock.calls[0]?.slice(1)).toEqual(["right", { rank: 900 }]);
  const commands = new Map(
    app.commands.addCommand.mock.calls.map(([id, command]) => [id, command.label({})]),
  );
  expect(commands.get("tauscope:open-panel")).toBe("Tauscope: open the panel");
  expect(commands.get("tauscope:open-study")).toBe("Tauscope: open workspace of a study");
  expect(shell.activateById).not.toHaveBeenCalled();
});

test("where there is no sidebar, no notebook or a package less, there is no panel and no error", async () => {
  const { shell, start, scope } = setUp();
  await start(null);
  await start(shell, { ...scope, "@jupyterlab/outputarea": {} });
  expect(shell.add).not.toHaveBeenCalled();
  const without = setUp({}, ["INotebookTracker"]);
  await without.start();
  expect(without.shell.add).not.toHaveBeenCalled();
});

test("palette, restorer and settings may be missing", async () => {
  const { shell, start } = setUp({}, ["ICommandPalette", "ILayoutRestorer", "ISettingRegistry"]);
  await start();
  expect(shell.add).toHaveBeenCalledOnce();
});

test("open on start opens it once all is restored", async () => {
  const { shell, start } = setUp({ openOnStart: true });
  await start();
  await settled();
  expect(shell.activateById).toHaveBeenCalledWith("tauscope-panel");
});

test("the schema has the settings that are obeyed", () => {
  const { properties } = JSON.parse(readFileSync(SCHEMA, "utf-8"));
  expect(Object.keys(properties)).toEqual(["followActiveNotebook", "openOnStart"]);
  expect([properties.followActiveNotebook.default, properties.openOnStart.default]).toEqual([true, false]);
});
