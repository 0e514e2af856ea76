/** The view shown, as a sentence and as a table. */

import type { AnyModel } from "@anywidget/types";
import { readStress } from "../../../wire/shared_stress";
import type { Copied } from "./copy_menu";
import type { Numbers } from "./numbers";
import { metricWords, panelWords } from "./sentence";
import { metricTable, panelTable } from "./table_text";

export interface Places {
  /** The population in words. */
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
    sentence() {
      const { population, panel } = places();
      const view = model.get("view") as string;
      const metrics = metricsOf(view);
      const said = metrics
        ? metricWords(numbers(), readStress(model.get("stress")), metrics)
        : panelWords(panel(view), view);
      return said && `${title}, ${population}. ${said}`;
    },
    table() {
      const view = model.get("view") as string;
      if (view === "metrics") return metricTable(numbers(), readStress(model.get("stress")));
      return panelTable(places().panel(view));
    },
  };
}
