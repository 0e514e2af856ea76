/** The numbers of the population shown, for the curves to mark: passed on from what is told of the joint stress. */

import { levelOf } from "../../../wire/reasons";
import { isStressed } from "../../../wire/shared_stress";
import type { JointSource } from "../../stress/curves/joint_mark";
import type { Context, View } from "../../stress/joint/context";

export interface JointRelay extends JointSource {
  show(context: Context, view: View): void;
}

export function createJointRelay(signal: AbortSignal): JointRelay {
  let latest: { readonly context: Context; readonly view: View } | null = null;
  const calls = new Set<() => void>();
  let frame = 0;
  const tell = () => {
    frame = 0;
    for (const call of calls) call();
  };
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
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
    onChange(call, until) {
      calls.add(call);
      until.addEventListener("abort", () => calls.delete(call), { once: true });
    },
    show(context, view) {
      latest = { context, view };
      if (frame === 0) frame = requestAnimationFrame(tell);
    },
  };
}
