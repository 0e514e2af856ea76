/** A curve before and after an attack, and what each bound says of it; null where none was asked for. */

import { type AttackedMessage, attackedMessage } from "../messages";
import { unlessEmpty } from "../schema";

const attacked = unlessEmpty(attackedMessage);
export const decodeAttacked = (value: unknown): AttackedMessage | null => attacked(value, "attacked");
