/** A curve before and after an attack, and what each bound says of it. */

import {
  flag,
  type Infer,
  list,
  nullable,
  number,
  numbersOrNull,
  object,
  oneOf,
  text,
  texts,
  unlessEmpty,
} from "../schema";
import { effectKind } from "./effect";

const verdict = object({
  bound: text,
  status: oneOf("certified", "estimated"),
  /** How far down and up the curve could have moved; null where it cannot be known. */
  lower: nullable(number),
  upper: nullable(number),
  holds: flag,
});

/** The curves stand on points of their own; null where there is no number. */
const attacked = unlessEmpty(
  object({
    feature: text,
    kind: effectKind,
    target_class: text,
    sentence: text,
    change: number,
    points: numbersOrNull,
    labels: texts,
    before: numbersOrNull,
    after: numbersOrNull,
    place: number,
    verdicts: list(verdict),
  }),
);
export type Attacked = NonNullable<Infer<typeof attacked>>;

export function decodeAttacked(value: unknown): Attacked | null {
  return attacked(value, "attacked");
}
