/** What to try first, in one sentence: what a small move of the feature chosen does to the errors. */

import type { AnyModel } from "@anywidget/types";
import { decodeStressCurves, type StressCurvesTraits } from "../../../wire/stress/curves";
import { createContext } from "../../stress/curves/context";
import { firstWords } from "../../stress/curves/first_look";

const NUMBERS = ["message", "curves", "population", "histograms", "reasons"] as const;

/** @param curves the model of the curves; its trait `second` is the metric of the second curve */
export function findingOf(curves: AnyModel<StressCurvesTraits & { second: string }>): string | undefined {
  const given = Object.fromEntries(NUMBERS.map((name) => [name, curves.get(name)]));
  const data = decodeStressCurves(given as Pick<StressCurvesTraits, (typeof NUMBERS)[number]>);
  const { features, metrics } = data.message;
  const feature = features.findIndex(({ name }) => name === curves.get("feature"));
  const metric = metrics.findIndex(({ name }) => name === curves.get("second"));
  if (feature < 0 || metric < 0) return undefined;
  const nowhere = () => undefined;
  const context = createContext(data, {
    signal: new AbortController().signal,
    intend: nowhere,
    point: nowhere,
  });
  return firstWords(context, feature, metric);
}
