/** Stresses with a name: kept, applied, compared, and taken to and from a file. */

import { html, listen } from "../../../marks/element";
import { isStressed, type Stress, sameStress } from "../../../wire/shared_stress";
import { counted } from "../../shared/words";
import { download } from "./clipboard";
import type { Telling } from "./copy_menu";
import { createMenu, type Menu } from "./menu";
import { type Compare, createComparison } from "./scenario_comparison";
import type { Scenario } from "./scenario_file";
import { createNameForm } from "./scenario_form";

export interface Scenarios {
  all(): readonly Scenario[];
  set(scenarios: readonly Scenario[]): void;
  stress(): Stress;
  apply(stress: Stress): void;
  /** As a file's text. */
  write(scenarios: readonly Scenario[]): string;
  /** From a file's text; throws an error whose words say what does not match. */
  read(text: string, file: string): readonly Scenario[];
  readonly compare: Compare;
}

const FILE = "scenarios.json";

/** Put others beside those there are; one of a name that is taken and of another stress gets a number. */
export function merged(there: readonly Scenario[], more: readonly Scenario[]): readonly Scenario[] {
  const all = [...there];
  for (const one of more) {
    if (all.some((other) => other.name === one.name && sameStress(other, one))) continue;
    let [name, k] = [one.name, 2];
    while (all.some((other) => other.name === name)) name = `${one.name} (${k++})`;
    all.push({ ...one, name });
  }
  return all;
}

export function createScenarioMenu(
  scenarios: Scenarios,
  { say }: Telling,
  panel: HTMLElement,
  signal: AbortSignal,
): Menu {
  const { all, set, stress } = scenarios;
  const input = html("input", {
    type: "file",
    accept: ".json,application/json",
    tabindex: -1,
    "aria-label": "File of scenarios",
    "data-testid": "scenario-file",
  });
  input.hidden = true;
  const leave = () => {
    panel.replaceChildren();
    menu.button.focus();
  };
  const keep = () => {
    say("");
    const form = createNameForm(
      all().map(({ name }) => name),
      (name) => {
        set([...all(), { name, ...stress() }]);
        leave();
        say(`Kept “${name}”.`);
      },
      leave,
    );
    panel.replaceChildren(form.element);
    form.focus();
  };
  const apply = (one: Scenario) => {
    scenarios.apply({ taus: one.taus, hold: one.hold });
    say(`“${one.name}” is shown.`);
  };
  const compare = () => {
    say("");
    const comparison = createComparison({ all, set, compare: scenarios.compare, close: leave, say });
    panel.replaceChildren(comparison.element);
    comparison.focus();
  };
  const load = async () => {
    const file = input.files?.[0];
    if (!file) return;
    try {
      const read = scenarios.read(await file.text(), file.name);
      set(merged(all(), read));
      say(`Loaded ${counted(read.length, "scenario")} from ${file.name}.`);
    } catch (error) {
      say((error as Error).message, true);
    }
    input.value = "";
  };
  listen(input, "change", signal, () => void load());
  const none = "None is kept yet.";
  const menu = createMenu("Scenario", "scenario", signal, () => {
    const [now, kept] = [stress(), all()];
    const empty = kept.length === 0 ? none : "";
    return [
      {
        label: "Keep this stress…",
        id: "scenario-keep",
        refused: isStressed(now) ? "" : "Move a slider first: nothing is moved.",
        act: keep,
      },
      null,
      ...kept.map((one, k) => ({
        label: one.name,
        id: `scenario-apply-${k}`,
        checked: sameStress(one, now),
        act: () => apply(one),
      })),
      ...(kept.length > 0 ? [null] : []),
      { label: "Compare or remove…", id: "scenario-compare", refused: empty, act: compare },
      {
        label: "Export as JSON",
        id: "scenario-export",
        refused: empty,
        act: () => {
          download(FILE, scenarios.write(all()), "application/json");
          say(`Saved ${FILE}.`);
        },
      },
      { label: "Import a JSON file…", id: "scenario-import", act: () => input.click() },
    ];
  });
  menu.element.append(input);
  return menu;
}
