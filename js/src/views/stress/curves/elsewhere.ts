/** Says where the stress that other views share is not what is shown here. */

import { html, showText } from "../../../marks/element";
import type { Part } from "./context";
import type { State } from "./state";

/** @param said the words for a state, by default its own; "" where nothing is said */
export function createElsewhere(said: (state: State) => string = ({ elsewhere }) => elsewhere): Part {
  const element = html("p", {
    class: "ts-elsewhere ts-notice",
    "data-testid": "elsewhere",
  });
  return {
    element,
    update(state) {
      const words = said(state);
      showText(element, words);
    },
  };
}
