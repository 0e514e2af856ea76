/** Says where the stress that other views share is not what is shown here. */

import { html, setText } from "../../../marks/element";
import type { Part } from "./context";

export function createElsewhere(): Part {
  const element = html("p", {
    class: "ts-elsewhere ts-notice",
    "data-testid": "elsewhere",
  });
  return {
    element,
    update({ elsewhere }) {
      setText(element, elsewhere);
      element.hidden = elsewhere === "";
    },
  };
}
