/** The view of rules on a page, with a model that is not there. */

import widget from "../../src/views/rules/rules/index";
import type { RulesTraits } from "../../src/wire/rules/rules";
import { rulesTraits } from "./rules_example";
import { mountView, press } from "./view";

export function mount(state: RulesTraits = rulesTraits(), widget_manager?: unknown) {
  return { ...mountView(widget, state, widget_manager), key: press };
}
