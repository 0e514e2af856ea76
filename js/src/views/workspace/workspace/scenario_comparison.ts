/** Kept scenarios side by side: every metric as tested, and in two of them. */

import { createButton } from "../../../marks/button";
import { html, listen } from "../../../marks/element";
import { createOption, createPicker } from "../../../marks/picker";
import { columnHead, rowHead } from "../../../marks/table";
import type { QuantityFormat } from "../../../theme/formats";
import { count } from "../../../theme/formats";
import { markLevel } from "../../shared/reliability";
import { capitalize, intervalWords } from "../../shared/words";
import type { Cell } from "./numbers";
import type { Scenario } from "./scenario_file";

/** The metrics in a population, or the reason why there are none. */
export interface Compared {
  readonly name: string;
  readonly ess: number;
  readonly cells: readonly Cell[];
  readonly problem: string;
}

export interface Compare {
  readonly metrics: readonly {
    readonly name: string;
    readonly label: string;
    readonly format: QuantityFormat;
  }[];
  /** That as tested, then each scenario; rejects with words where they cannot be had. */
  solve(scenarios: readonly Scenario[]): Promise<readonly Compared[]>;
}

export interface ComparisonActions {
  all(): readonly Scenario[];
  set(scenarios: readonly Scenario[]): void;
  readonly compare: Compare;
  close(): void;
  say(words: string): void;
}

const ALONE = "Intervals are those of each population by itself, not of differences between them.";

function createCell(cell: Cell | undefined, { value, bare }: QuantityFormat): HTMLElement {
  if (!cell) return html("td", {}, "–");
  const element = html(
    "td",
    { class: "ts-number" },
    html("b", {}, value(cell.value)),
    html("div", { class: "ts-quiet" }, intervalWords(bare(cell.lower), bare(cell.upper))),
  );
  const doubtful = cell.reliability !== "" && cell.reliability !== "reliable";
  if (doubtful) {
    const words = html("div", {}, cell.reliability);
    markLevel(words, cell.reliability === "wide" ? 1 : 2);
    words.title = cell.note;
    element.append(words);
  }
  return element;
}

function createTable({ metrics }: Compare, compared: readonly Compared[]): HTMLElement {
  const heads = ["metric", ...compared.map(({ name }) => name)].map((words) =>
    columnHead(words, { role: "columnheader" }),
  );
  const rows = metrics.map(({ name, label, format }) =>
    html(
      "tr",
      {},
      rowHead(capitalize(label)),
      ...compared.map(({ cells }) =>
        createCell(
          cells.find(({ metric }) => metric === name),
          format,
        ),
      ),
    ),
  );
  const effective = html(
    "tr",
    {},
    rowHead("Effective rows"),
    ...compared.map(({ ess }) => html("td", { class: "ts-number" }, count(ess))),
  );
  // narrow, a metric's name stands above its numbers, and what is drawn as blocks has to say what it is
  for (const row of [...rows, effective]) {
    row.setAttribute("role", "row");
    for (const cell of row.children) cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
  }
  const table = html(
    "table",
    { class: "ts-metrics ts-scenario-table", role: "table", "data-testid": "scenario-table" },
    html("thead", { role: "rowgroup" }, html("tr", { role: "row" }, ...heads)),
    html("tbody", { role: "rowgroup" }, ...rows, effective),
  );
  table.style.setProperty("--ts-populations", String(compared.length));
  return table;
}

export function createComparison({ all, set, compare, close, say }: ComparisonActions) {
  const result = html("div", {
    class: "ts-scenario-result",
    tabindex: 0,
    role: "group",
    "aria-label": "Comparison",
  });
  const select = (label: string, id: string) =>
    createPicker({ "aria-label": label, "data-testid": id }, [], null, () => void show());
  const [first, second] = [select("Scenario", "scenario-a"), select("Beside it", "scenario-b")];
  const removal = html("p", { class: "ts-scenario-removal" });
  const leave = createButton({ "data-testid": "scenario-close" }, "Close", null, close);
  let asked = 0;

  const show = async () => {
    const mine = ++asked;
    const chosen = [first, second].flatMap(({ value }) => all().filter(({ name }) => name === value));
    const distinct = chosen.filter((one, k) => chosen.indexOf(one) === k);
    result.classList.add("ts-is-stale");
    try {
      const compared = await compare.solve(distinct);
      if (mine !== asked) return;
      const problems = compared.filter(({ problem }) => problem);
      result.replaceChildren(
        createTable(compare, compared),
        ...problems.map(({ name, problem }) => html("p", { class: "ts-notice" }, `${name}: ${problem}`)),
        html("p", { class: "ts-quiet" }, ALONE),
      );
    } catch (error) {
      if (mine === asked) result.replaceChildren(html("p", { role: "alert" }, (error as Error).message));
    }
    result.classList.remove("ts-is-stale");
  };
  const list = () => {
    const names = all().map(({ name }) => name);
    const before = [first.value, second.value];
    first.replaceChildren(...names.map((name) => createOption(name)));
    second.replaceChildren(createOption("", "nothing"), ...names.map((name) => createOption(name)));
    first.value = names.includes(before[0] ?? "") ? (before[0] ?? "") : (names[0] ?? "");
    second.value = names.includes(before[1] ?? "") ? (before[1] ?? "") : (names[1] ?? "");
    removal.replaceChildren(
      html("span", { class: "ts-quiet" }, "Remove: "),
      ...names.map((name, k) => {
        const about = { "aria-label": `Remove ${name}`, "data-testid": `scenario-remove-${k}` };
        return createButton(about, `${name} ×`, null, () => {
          set(all().filter((one) => one.name !== name));
          say(`Removed “${name}”.`);
          if (all().length === 0) return close();
          list();
          void show();
          leave.focus();
        });
      }),
    );
  };
  const choice = html(
    "div",
    { class: "ts-scenario-choice" },
    first,
    html("span", {}, "beside"),
    second,
    leave,
  );
  const element = html(
    "section",
    {
      class: "ts-box ts-head-panel",
      "aria-label": "Scenarios side by side",
      "data-testid": "scenario-comparison",
    },
    choice,
    result,
    removal,
  );
  listen(element, "keydown", null, (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  list();
  void show();
  return { element, focus: () => first.focus() };
}
