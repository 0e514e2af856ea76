/** The model of a view inside another: the other's, with its own traits under a prefix and shared ones by name. */

import type { AnyModel } from "@anywidget/types";

// biome-ignore lint/suspicious/noExplicitAny: the traits of any view
type Model = AnyModel<any>;

/** @param shared trait of the view to trait of the model around it */
export function innerModel(outer: Model, name: string, shared: Readonly<Record<string, string>>): Model {
  const traitOf = (trait: string) => shared[trait] ?? `${name}__${trait}`;
  const eventOf = (event: string) =>
    event.startsWith("change:") ? `change:${traitOf(event.slice("change:".length))}` : event;
  return {
    get: (trait: string) => outer.get(traitOf(trait)),
    set: (trait: string, value: unknown) => outer.set(traitOf(trait), value),
    on: (event: string, call: () => void) => outer.on(eventOf(event), call),
    off: (event?: string | null, call?: (() => void) | null) =>
      outer.off(event == null ? event : eventOf(event), call),
    save_changes: () => outer.save_changes(),
    send: outer.send?.bind(outer),
    get widget_manager() {
      return outer.widget_manager;
    },
  } as Model;
}
