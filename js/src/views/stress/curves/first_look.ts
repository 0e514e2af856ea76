/** What moving the chosen feature does, in one sentence from the numbers shipped; shown until something is moved. */

import { isShare } from "../../../theme/formats";
import type { CurvesFeatureMessage } from "../../../wire/messages";
import { AT_REST } from "../../shared/population";
import type { Context } from "./context";

/** "Move age: at 43.8 on average, error rate goes from 12.8 to 14.1 %." */
export function firstWords(context: Context, feature: number, metric: number): string {
  const { data, target } = context;
  const about = data.message.features[feature] as CurvesFeatureMessage;
  const { name, first } = about;
  const step = first[metric] ?? -1;
  if (step < 0) return AT_REST;
  const reached = target(feature).value(data.population(feature).target[step] as number);
  const where = isShare(about) ? `at a share of ${reached}` : `at ${reached} on average`;
  const { value } = data.curve(feature, metric);
  const [before, after] = context.metric(metric).pair(value[data.zero] as number, value[step] as number);
  return `Move ${name}: ${where}, ${data.message.metrics[metric]?.label} goes from ${before.replace(" %", "")} to ${after}.`;
}
