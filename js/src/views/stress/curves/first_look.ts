/** What moving the chosen feature does, in one sentence from the numbers shipped; shown until something is moved. */

import type { FeatureMessage } from "../../../wire/stress/curves";
import { AT_REST } from "../../shared/population";
import type { Context } from "./context";

/** "Move age: at 43.8 on average, error rate goes from 12.8 to 14.1 %." */
export function firstWords(context: Context, feature: number, metric: number): string {
  const { data, target } = context;
  const { name, kind, first } = data.message.features[feature] as FeatureMessage;
  const step = first[metric] ?? -1;
  if (step < 0) return AT_REST;
  const reached = target(feature).value(data.population(feature).target[step] as number);
  const where = kind === "share" ? `at a share of ${reached}` : `at ${reached} on average`;
  const { value } = data.curve(feature, metric);
  const { bare, value: write } = context.metric(metric);
  const [before, after] = [bare(value[data.zero] as number), write(value[step] as number)];
  return `Move ${name}: ${where}, ${data.message.metrics[metric]?.label} goes from ${before} to ${after}.`;
}
