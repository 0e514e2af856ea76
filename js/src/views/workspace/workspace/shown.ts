/** The view shown, as a sentence and as a table. */

import type { AnyModel } from "@anywidget/types";
import { count } from "../../../theme/formats";
import { isStressed, readStress, type Stress } from "../../../wire/shared_stress";
import { amountWords } from "../../shared/amounts";
import { reliabilityWords } from "../../shared/reliability";
import { capitalize, intervalWords, rowsOf } from "../../shared/words";
import { listedIn } from "../table/listed_text";
import type { Copied } from "./copy_menu";
import type { Numbers } from "./numbers";

function cleaned(words: string): string {
  return words.replace(/\s+/g, " ").trim();
}

/** The table of a view as text between tabs, which spreadsheets take. */
function tabbed(rows: readonly (readonly (string | number)[])[]): string {
  const written = (cell: string | number) =>
    typeof cell === "string" ? cleaned(cell) : Number.isFinite(cell) ? String(cell) : "";
  return rows.map((row) => row.map(written).join("\t")).join("\n");
}

/** Every metric with its interval, as tested and under the stress, in full precision. */
function metricTable(numbers: Numbers, stress: Stress): string {
  const before = numbers.asTested();
  if (!isStressed(stress)) {
    const rows = before.map(({ metric, value, lower, upper }) => [metric, value, lower, upper]);
    return tabbed([["metric", "as tested", "lower", "upper"], ...rows]);
  }
  const answer = numbers.answer(stress);
  const head = [
    "metric",
    ...["as tested", "lower", "upper"],
    ...["under the stress", "lower", "upper"],
    ...["reliability", "note", "effective rows"],
  ];
  const rows = numbers.cells(answer).map(({ metric, value, lower, upper, reliability, note }, k) => {
    const was = before[k];
    return [
      ...[metric, was?.value ?? Number.NaN, was?.lower ?? Number.NaN, was?.upper ?? Number.NaN],
      ...[value, lower, upper, reliability, note, answer.ess],
    ];
  });
  return tabbed([head, ...rows]);
}

/** The words of a cell; parts that stand side by side or below one another are no one word. */
function wordsOf(cell: Element): string {
  return cleaned(Array.from(cell.childNodes, (part) => part.textContent ?? "").join(" "));
}

/** The rows of a table or a grid, cell by cell. */
function cellsOf(table: Element): string[][] {
  const rows = [...table.querySelectorAll("tr, [role='row']")].filter((row) => !row.closest("[hidden]"));
  const cells = (row: Element) =>
    [...row.querySelectorAll("th, td, [role='columnheader'], [role='rowheader'], [role='gridcell']")].map(
      wordsOf,
    );
  return rows.map(cells).filter((row) => row.some((cell) => cell.trim() !== ""));
}

/** The tables that stand in a panel, those behind a line to open among them; "" where there is none. */
export function panelTable(panel: HTMLElement): string {
  const closed = [...panel.querySelectorAll("details")].filter(
    (one) => !one.open && !one.closest("[hidden]") && one.querySelector(".ts-table-holder"),
  );
  for (const one of closed) {
    one.open = true;
    one.dispatchEvent(new Event("toggle"));
  }
  const tables = [...panel.querySelectorAll("table, [role='grid']")].filter(
    (one) => !one.closest("[hidden]"),
  );
  const texts = tables.map((table) => {
    const caption = table.querySelector("caption")?.textContent ?? "";
    const rows = tabbed(cellsOf(table));
    return caption && rows ? `${cleaned(caption)}\n${rows}` : rows;
  });
  for (const one of closed) one.open = false;
  return texts.filter(Boolean).join("\n\n");
}

/** What each view says of itself in words, by its test ids; a picture by its description. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  effect: ["chart", "moved", "doubt"],
  boundary: ["headline", "certificate", "status"],
  pooled: ["rows", "reading", "reliability"],
  rules: ["headline", "status", "stressed"],
  table: ["found", "selected"],
  thresholds: ["population", "headline"],
  calibration: ["population", "headline"],
  worst_case: ["population", "headline", "leans-on"],
  models: ["population"],
  towards: ["population", "headline", "met", "unmet"],
};

/** What the numbers of these views are of, whatever the sliders say. */
const OF: Readonly<Record<string, string>> = { boundary: "", rules: "the data as they are" };

/** The population that a view's numbers are of; "" where they are of none, or it comes with the words. */
export function populationOf(panel: HTMLElement, view: string, shown: string): string {
  if (SAID[view]?.includes("population")) return "";
  const own = panel.querySelector<HTMLElement>('[data-testid="population"]')?.textContent?.trim();
  return OF[view] ?? (own ? own.replace(/[.]$/, "") : shown);
}

function ended(words: string): string {
  const bare = words.replace(/\s+/g, " ").trim();
  return bare === "" || /[.!?…]$/.test(bare) ? bare : `${bare}.`;
}

/** The words of a panel, as they stand there. */
function panelWords(panel: HTMLElement, view: string): string {
  const found = (SAID[view] ?? []).flatMap((id) => {
    const element = panel.querySelector<HTMLElement>(`[data-testid="${id}"]`);
    if (!element || element.closest("[hidden]")) return [];
    return [element.getAttribute("aria-label") ?? element.textContent ?? ""];
  });
  return found.map(ended).filter(Boolean).join(" ");
}

/** Some metrics in words, each with its interval: "Error rate 14.1 % (13.2 – 15.0, 95 % interval), as tested 12.8 %." */
function metricWords({ context, answer }: Numbers, stress: Stress, names: readonly string[]): string {
  const { data, metrics, metric: formats } = context;
  const now = answer(stress);
  if (now.reason) return ended(now.reason);
  const percent = `${amountWords(data.message.confidence)} interval`;
  const places = names.map((name) => metrics.findIndex((one) => one.name === name)).filter((k) => k >= 0);
  const words = places.map((k) => {
    const { value, bare } = formats(k);
    const { label, events } = metrics[k] as (typeof metrics)[number];
    const estimate = now.estimate(k);
    const interval = intervalWords(bare(estimate.lower), bare(estimate.upper));
    const before = isStressed(stress)
      ? `, as tested ${value(data.message.unstressed[k]?.value ?? Number.NaN)}`
      : " as tested";
    const said = `${capitalize(label)} ${value(estimate.value)} (${interval}, ${percent})${before}.`;
    if (!isStressed(stress)) return said;
    const { strong, rest } = reliabilityWords(
      data.message.reliability,
      events,
      estimate,
      true,
      data.columns.message.n_rows,
    );
    return `${said} ${strong}${rest}`;
  });
  const late = now.stale ? "These numbers are of the stress before: the kernel is still at work." : "";
  return [...words, late].filter(Boolean).join(" ");
}

/** One metric as it stands on screen, and what it is called; null while there is none to read. */
function metricNumber({ context, answer }: Numbers, stress: Stress, name: string) {
  const place = context.metrics.findIndex((one) => one.name === name);
  const now = answer(stress);
  if (place < 0 || now.reason || now.stale) return null;
  const { label } = context.metrics[place] as (typeof context.metrics)[number];
  return { label: capitalize(label), text: context.metric(place).value(now.estimate(place).value) };
}

export interface Places {
  /** The population in words, and how far to rely on it. */
  readonly population: string;
  panel(view: string): HTMLElement;
}

export function createShown(
  // biome-ignore lint/suspicious/noExplicitAny: the traits of all views
  model: AnyModel<any>,
  title: string,
  numbers: () => Numbers,
  places: () => Places,
): Copied {
  const metricsOf = (view: string): readonly string[] | null => {
    if (view === "curves") return [model.get("curves__metric"), model.get("second_metric")];
    return view === "metrics" ? [model.get("joint__metric")] : null;
  };
  return {
    number() {
      const [metric] = metricsOf(model.get("view")) ?? [model.get("joint__metric")];
      return metricNumber(numbers(), readStress(model.get("stress")), metric);
    },
    sentence() {
      const { population, panel } = places();
      const view = model.get("view") as string;
      const metrics = metricsOf(view);
      const said = metrics
        ? metricWords(numbers(), readStress(model.get("stress")), metrics)
        : panelWords(panel(view), view);
      // what the sliders make is not what every view shows
      const of = metrics ? population : populationOf(panel(view), view, population);
      return said && `${title}${of && `, ${of}`}. ${capitalize(said)}`;
    },
    table() {
      const view = model.get("view") as string;
      if (view === "metrics") return metricTable(numbers(), readStress(model.get("stress")));
      const listed = view === "table" ? listedIn(places().panel(view)) : null;
      if (listed) return listed.n > 0 ? tabbed(listed.cells) : "";
      return panelTable(places().panel(view));
    },
    tableWords() {
      const view = model.get("view") as string;
      const listed = view === "table" ? listedIn(places().panel(view)) : null;
      if (!listed || listed.n === 0) return "";
      const all = listed.n === listed.of;
      return all
        ? `Copied the table: ${rowsOf(listed.n)}.`
        : `First ${count(listed.n)} of ${rowsOf(listed.of)} copied.`;
    },
  };
}
