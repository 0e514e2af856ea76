/** What the workspace says once, and how far each of its views is. */

import {
  type OpenedMessage,
  openedMessage,
  type SelectedMessage,
  selectedMessage,
  type WorkspaceMessage,
  type WorkspaceTraits,
  workspaceMessage,
} from "../messages";
import { list, object, recordOf, text, unlessEmpty } from "../schema";
import { readStress, type Stress } from "../shared_stress";

/** What the kernel says that the rows selected weigh; null where it was not asked. */
export const decodeSelected = (value: unknown): SelectedMessage | null =>
  unlessEmpty(selectedMessage)(value ?? {}, "selected");

/** A stress that was given a name. */
export interface Scenario extends Stress {
  readonly name: string;
}

const named = object(() => ({ name: text }));

/** The stresses kept. */
export const decodeScenarios = (value: unknown): readonly Scenario[] =>
  list((one, where) => ({ ...named(one, where), ...readStress(one) }))(value ?? [], "scenarios");

export function decodeWorkspace(traits: Pick<WorkspaceTraits, "message">): WorkspaceMessage {
  return workspaceMessage(traits.message, "message");
}

/** How far each view is, by name. */
export const decodeOpened = (value: unknown): ReadonlyMap<string, OpenedMessage> =>
  new Map(Object.entries(recordOf(openedMessage)(value ?? {}, "opened")));
