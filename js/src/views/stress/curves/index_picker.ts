/** Which index the curves show; the ROC plane when both its rates are there. */

import { html, OWN_KEYS } from "../../../marks/element";
import { heading } from "../../shared/words";
import type { Context, Part } from "./context";
import { indexName, indexNamed } from "./state";

const ROC_WORDS = "ROC: true against false positive rate";

export function createIndexPicker({ data, intend, roc, signal }: Context): Part {
  const { message } = data;
  const options = message.indices.map(({ name, label }) => html("option", { value: name }, heading(label)));
  if (roc) options.push(html("option", { value: "roc" }, ROC_WORDS));
  const picker = html(
    "select",
    {
      class: "ts-heading",
      "aria-label": "Index shown",
      "data-testid": "index",
      ...OWN_KEYS,
    },
    ...options,
  );
  picker.addEventListener(
    "change",
    (event) => intend({ index: indexNamed(message, picker.value) ?? 0 }, event),
    {
      signal,
    },
  );
  return {
    element: picker,
    update({ index }) {
      picker.value = indexName(message, index);
    },
  };
}
