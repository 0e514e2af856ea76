/** The view shown, as a sentence and as a table. */

import type { AnyModel } from "@anywidget/types";
import { count } from "../../../theme/formats";
import { readStress } from "../../../wire/shared_stress";
import { capitalize, rowsOf } from "../../shared/words";
import { listedIn } from "../table/listed_text";
import type { Copied } from "./copy_menu";
import type { Numbers } from "./numbers";
import { metricNumber, metricWords, panelWords, populationOf } from "./sentence";
import { metricTable, panelTable, tabbed } from "./table_text";

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
