/** Says where the stress that other views share is not what is shown here. */

import { html, setText } from "../../../marks/element";
import type { Part } from "./context";
import type { State } from "./state";

/** @param instead what is said in its place; "" where nothing is */
export function createElsewhere(instead: (state: State) => string = () => ""): Part {
  const element = html("p", {
    class: "ts-elsewhere ts-notice",
    "data-testid": "elsewhere",
  });
  return {
    element,
    update(state) {
      const { elsewhere } = state;
      setText(element, instead(state) || elsewhere);
      element.hidden = elsewhere === "";
    },
  };
}
