/** The numbers of the population shown, for the curves to mark: passed on from what is told of the joint stress. */

import { LEVELS, levelOf } from "../../../wire/reasons";
import { isStressed } from "../../../wire/shared_stress";
import type { Weighed } from "../../../wire/workspace/table";
import { oncePerFrame } from "../../shared/once_per_frame";
import { populationWords } from "../../shared/population_words";
import { judgeCarriers, reasonWords } from "../../shared/reliability";
import type { JointSource } from "../../stress/curves/joint_mark";
import type { Answer } from "../../stress/joint/answers";
import type { Context, View } from "../../stress/joint/context";
import type { WeightSource } from "../table";

export interface JointRelay extends JointSource, WeightSource {
  show(context: Context, view: View): void;
}

/** Weights of mean 1, as the kernel sends them. */
function meanOne(weights: ArrayLike<number>): Float32Array {
  let total = 0;
  for (let row = 0; row < weights.length; row++) total += weights[row] as number;
  const mean = total / weights.length;
  return Float32Array.from(weights, (weight) => weight / mean);
}

export function createJointRelay(signal: AbortSignal): JointRelay {
  let latest: { readonly context: Context; readonly view: View } | null = null;
  let known: { readonly of: Answer; readonly made: Weighed } | null = null;
  const calls = new Set<() => void>();
  const tellSoon = oncePerFrame(signal, () => {
    for (const call of calls) call();
  });
  return {
    stress() {
      const answer = latest?.view.answer;
      return answer && isStressed(answer.stress) && !answer.stale && !answer.reason ? answer.stress : null;
    },
    of(name) {
      if (!latest) return null;
      const { context, view } = latest;
      const k = context.metrics.findIndex((metric) => metric.name === name);
      if (k < 0) return null;
      const { value, lower, upper, reason } = view.answer.estimate(k);
      return { value, lower, upper, level: levelOf(context.data.message.reliability, reason) };
    },
    solves: () => (latest?.context.data.outcomes ?? null) !== null,
    weighed() {
      if (!latest) return null;
      const { context, view } = latest;
      const { stress, stale, reason, weights, ess, kl: far, tv, pareto_k, carriers } = view.answer;
      if (!isStressed(stress) || stale) return null;
      if (!reason && !weights) return null;
      if (known?.of === view.answer) return known.made;
      const reasons = context.data.message.reliability;
      const judged = judgeCarriers(reasons, carriers);
      const made: Weighed = {
        stress,
        error: reason,
        words: populationWords(context.data.columns, stress, view.answer.achieved),
        ...{ ess, kl: far, tv, pareto_k },
        doubt: { level: LEVELS[levelOf(reasons, judged.reason)], words: reasonWords(reasons, [], judged) },
        weights: weights && meanOne(weights),
      };
      known = { of: view.answer, made };
      return made;
    },
    onChange(call, until) {
      calls.add(call);
      until.addEventListener("abort", () => calls.delete(call), { once: true });
    },
    show(context, view) {
      latest = { context, view };
      tellSoon();
    },
  };
}
