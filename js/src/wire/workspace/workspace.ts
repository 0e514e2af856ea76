/** What the workspace says once, and how far each of its views is. */

import {
  flag,
  type Infer,
  list,
  nullable,
  number,
  numberOrNaN,
  object,
  oneOf,
  record,
  text,
  texts,
  unlessEmpty,
  version,
} from "../schema";
import { readStress, type Stress } from "../shared_stress";

const viewMessage = object({
  name: text,
  label: text,
  /** Why it cannot be opened; "" where it can. */
  refused: text,
});
export type ViewMessage = Infer<typeof viewMessage>;

const workspaceMessage = object({
  version: version(1),
  /** What is predicted. */
  title: text,
  /** By what. */
  model: text,
  /** What is unusual about its answers. */
  notes: texts,
  n_rows: number,
  n_columns: number,
  views: list(viewMessage),
  /** Whether the kernel can be asked; why not, where it cannot. */
  live: flag,
  offline: text,
  /** What a file of scenarios says besides them. */
  file: object({
    schema: text,
    version: number,
    data: object({ hash: text, n_rows: number, columns: texts }),
    seed: nullable(number),
    packages: record,
    quantile: number,
  }),
});
export type WorkspaceMessage = Infer<typeof workspaceMessage>;

const openedMessage = object({
  state: oneOf("working", "open", "failed", "cancelled", "waiting"),
  /** What is being computed, or why there is nothing. */
  words: text,
  /** How many of what `unit` counts are done, of `total` where that is above 0. */
  done: number,
  total: number,
  unit: text,
  /** Whether it can be asked for once more. */
  again: flag,
});
export type Opened = Infer<typeof openedMessage>;

const selectedMessage = unlessEmpty(
  object({
    stress: readStress,
    /** Which rows were weighed: how many, and what their positions add up to. */
    n: number,
    total: number,
    /** Of all weight, as tested and under the stress; NaN where it has no weights. */
    share: number,
    share_after: numberOrNaN,
  }),
);
export type SelectedMessage = NonNullable<Infer<typeof selectedMessage>>;

/** What the kernel says that the rows selected weigh; null where it was not asked. */
export const decodeSelected = (value: unknown): SelectedMessage | null =>
  selectedMessage(value ?? {}, "selected");

/** A stress that was given a name. */
export interface Scenario extends Stress {
  readonly name: string;
}

const named = object({ name: text });

/** The stresses kept. */
export const decodeScenarios = (value: unknown): readonly Scenario[] =>
  list((one, where) => ({ ...named(one, where), ...readStress(one) }))(value ?? [], "scenarios");

export type WorkspaceTraits = {
  scenarios: unknown;
  stress: unknown;
  view: string;
  feature: string;
  row: number;
  selection: readonly number[];
  second_metric: string;
  /** What rows are told apart by; "" for all together. */
  by: string;
  stop: number;
  compute: number;
  message: unknown;
  opened: unknown;
  selected: unknown;
};

export function decodeWorkspace(traits: Pick<WorkspaceTraits, "message">): WorkspaceMessage {
  return workspaceMessage(traits.message, "message");
}

/** How far each view is, by name. */
export function decodeOpened(value: unknown): ReadonlyMap<string, Opened> {
  const given = Object.entries(record(value ?? {}, "opened"));
  return new Map(given.map(([name, one]) => [name, openedMessage(one, `opened.${name}`)]));
}
