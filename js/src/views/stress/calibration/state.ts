/** Which population is shown, and whose diagram is in front. */

import type { CalibratedGroupMessage, CalibrationShownMessage } from "../../../wire/messages";
import type { FollowedState } from "../../shared/followed";

export interface State extends FollowedState<CalibrationShownMessage> {
  readonly group: number;
}

/** What the kernel does under a stress. */
export const DOING = "compares";

/** The group in front; null where the first stress could not be met, and nothing is known. */
export function groupOf({ now, group }: State): CalibratedGroupMessage | null {
  return now.groups[group] ?? null;
}
