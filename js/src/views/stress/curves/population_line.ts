/** The population in words and how far it was moved, before any chart. */

import { count } from "../../../theme/formats";
import type { FeatureMessage } from "../../../wire/stress/curves";
import { createPopulationHeader } from "../../shared/population";
import { judgePopulation } from "../../shared/reliability";
import type { Sentence } from "../../shared/words";
import type { Context, Part } from "./context";
import { firstWords } from "./first_look";
import { populationWords } from "./words";

export function createPopulationLine(context: Context): Part {
  const { data, intend, measures, signal, target } = context;
  const { message, zero } = data;
  const header = createPopulationHeader(message.n_rows, (event) => intend({ tau: zero }, event), signal);
  let first = "";
  const rows = count(message.n_rows);
  const say = (feature: number, tau: number, stressed: boolean): Sentence => {
    const means = data.population(feature).target;
    const [before, now] = [means[zero], means[tau]].map((mean) => target(feature).value(mean as number));
    const about = message.features[feature] as FeatureMessage;
    return populationWords(about, before as string, now as string, stressed, rows, message.hold);
  };
  const length = ({ strong, rest }: Sentence) => strong.length + rest.length;
  const reserve = (feature: number) => {
    const ends = [0, message.taus.length - 1].map((t) => say(feature, t, true));
    header.reserve(ends.reduce((a, b) => (length(b) > length(a) ? b : a)));
  };
  return {
    element: header.element,
    update({ feature, metric, tau }, from) {
      if (feature !== from?.feature) reserve(feature);
      const { ess, tv, kl, pareto_k, n_carriers, carried } = data.population(feature);
      header.element.classList.toggle("ts-is-stressed", tau !== zero);
      if (feature !== from?.feature || metric !== from.metric)
        first = firstWords(context, feature, measures(metric)[0] ?? 0);
      header.say(say(feature, tau, tau !== zero));
      const distances = {
        ess: ess[tau] as number,
        tv: tv[tau] as number,
        kl: kl[tau] as number,
        paretoK: pareto_k[tau] as number,
      };
      header.measure(distances, tau === zero ? first || null : null);
      const carriers = { n: n_carriers[tau] as number, share: carried[tau] as number };
      header.judge(judgePopulation(message.reliability, distances.ess, carriers));
    },
  };
}
