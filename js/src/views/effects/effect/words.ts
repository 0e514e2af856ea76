/** Sentences of the effect panel. */

import { type EffectMessage, isAccumulated, type Part } from "../../../wire/effects/effect";
import type { BreakdownMessage } from "../../../wire/messages";
import { capitalize, type Sentence } from "../../shared/words";
import type { DerivedView } from "./derive_view";

/** A share as a person reads it: "3.1 %", "0.94 %". */
export function shareWords(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** A share that is claimed to be safe: three figures, never rounded up. */
export function shareBelowWords(share: number): string {
  const percent = Number((100 * share).toPrecision(12));
  const near = Number(percent.toPrecision(3));
  if (near <= percent) return `${near} %`;
  return `${Number((near - 10 ** (Math.floor(Math.log10(percent)) - 2)).toPrecision(3))} %`;
}

/** How far the direction can be relied on, before any stress. */
export function breakdownWords(part: Part, found: BreakdownMessage | null): Sentence {
  if (!found) return { strong: "", rest: "" };
  const strong = `${capitalize(found.sentence)}.`;
  if (found.epsilon === null || found.epsilon === 0) return { strong, rest: "" };
  const [low, high] = [found.low, found.high].map((place) => part.axes[0]?.labels[place] ?? "");
  const lower = part.kind === "cd" ? " may exist" : " exists";
  return {
    strong,
    rest: ` Past that, some population${lower} for which the effect between ${low} and ${high} has the other sign.`,
  };
}

/** What the stress did, against what any stress this far could have done; and whether the direction held. */
export function movedWords(shown: DerivedView, difference: (value: number) => string): string {
  const { moved, population, part, known, output } = shown;
  if (!population.stressed) return "";
  if (population.problem) return `The stress cannot be shown: ${population.problem}.`;
  if (!moved) return "";
  const far = `total variation ${population.tv.toFixed(3)}`;
  const inside = isAccumulated(part.kind) ? " inside each bin" : "";
  const could =
    moved.possible > 0
      ? ` a reweighting this far${inside} (${far}${inside ? " in all" : ""}) could have moved it by ${difference(moved.possible)}.`
      : ` the rows moved by ${far}.`;
  const found = part.breakdowns[output] ?? null;
  let direction = "";
  if (found) {
    const before = (known.value[found.high] as number) - (known.value[found.low] as number);
    const now = (moved.curve.value[found.high] as number) - (moved.curve.value[found.low] as number);
    direction = before * now > 0 ? " The direction holds." : " Here the direction has turned.";
  }
  return `Under this stress the effect moves by ${difference(moved.change)} at most;${could}${direction}`;
}

export function titleOf({ response, model }: EffectMessage): readonly [string, string] {
  return [`Effect on ${response}`, model];
}
