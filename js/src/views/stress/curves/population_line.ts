/** The population in words and how far it was moved, before any chart. */

import { count } from "../../../theme/formats";
import type { FeatureMessage } from "../../../wire/stress/curves";
import { createPopulationHeader } from "../../shared/population";
import type { Sentence } from "../../shared/words";
import type { Context, Part } from "./context";
import { populationWords } from "./words";

export function createPopulationLine({ data, intend, signal, target }: Context): Part {
  const { message, zero } = data;
  const header = createPopulationHeader(message.n_rows, (event) => intend({ tau: zero }, event), signal);
  const rows = count(message.n_rows);
  const say = (feature: number, tau: number, stressed: boolean): Sentence => {
    const means = data.population(feature).target;
    const [before, now] = [means[zero], means[tau]].map((mean) => target(feature).value(mean as number));
    const about = message.features[feature] as FeatureMessage;
    return populationWords(about, before as string, now as string, stressed, rows);
  };
  const length = ({ strong, rest }: Sentence) => strong.length + rest.length;
  const reserve = (feature: number) => {
    const ends = [0, message.taus.length - 1].map((t) => say(feature, t, true));
    header.reserve(ends.reduce((a, b) => (length(b) > length(a) ? b : a)));
  };
  return {
    element: header.element,
    update({ feature, tau }, from) {
      if (feature !== from?.feature) reserve(feature);
      const { ess, tv, kl, pareto_k } = data.population(feature);
      header.element.classList.toggle("ts-is-stressed", tau !== zero);
      header.say(say(feature, tau, tau !== zero));
      header.measure({
        ess: ess[tau] as number,
        tv: tv[tau] as number,
        kl: kl[tau] as number,
        paretoK: pareto_k[tau] as number,
      });
    },
  };
}
