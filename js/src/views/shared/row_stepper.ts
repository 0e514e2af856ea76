/** Which row is explained: its number in a box, the one before, and the next. */

import { createButton, switchOff } from "../../marks/button";
import { html } from "../../marks/element";
import { count } from "../../theme/formats";
import { createNumberBox } from "./number_box";

interface Rows {
  readonly n_rows: number;
  readonly live: boolean;
  /** Why no other row can be asked for; "" where one can. */
  readonly offline: string;
}

/** @param choose takes the person to a row that is there, and is not the one shown */
export function createRowStepper(
  { n_rows, live, offline }: Rows,
  signal: AbortSignal,
  choose: (row: number, event: Event) => void,
) {
  const last = n_rows - 1;
  let at = 0;
  /** Values of its own have no number. */
  const write = () => {
    const words = at < 0 ? "" : String(at);
    if (box.value !== words) box.value = words;
  };
  const go = (row: number, event: Event) => {
    if (Number.isInteger(row) && row >= 0 && row <= last && row !== at) choose(row, event);
    else write();
  };
  const common = { disabled: !live, title: live ? undefined : offline };
  const box = createNumberBox(
    {
      ...{ min: 0, max: last, step: 1, "aria-label": `Row, 0 to ${count(last)}`, "data-testid": "row" },
      ...common,
    },
    signal,
    (row, event) => go(row ?? Number.NaN, event),
  );
  const step = (words: string, name: string, testid: string, by: number) => {
    const named = { class: "ts-button ts-step", "aria-label": name, "data-testid": testid };
    return createButton({ ...named, ...common }, words, signal, (event) => go(at + by, event));
  };
  const before = step("◂", "Row before", "previous", -1);
  const after = step("▸", "Next row", "next", 1);
  return {
    elements: [html("label", {}, "row ", box), before, after],
    update(row: number) {
      at = row;
      write();
      switchOff(before, !live || at <= 0);
      switchOff(after, !live || at >= last);
    },
  };
}
