/** One selection of rows: made by a cell of the confusion matrix, told below the population. */

import type { Traits } from "../../../wire/traits";
import type { WorkspaceTraits } from "../../../wire/workspace/workspace";
import type { Context, View } from "../../stress/joint/context";
import { type Confusion, createConfusion } from "./confusion";
import { createSelected } from "./selected";

export interface Brushing {
  /** What is selected. */
  readonly element: HTMLElement;
  /** The population is another, or its numbers are there. */
  show(context: Context, view: View): void;
}

/** @param nRows of the study */
export function createBrushing(
  nRows: number,
  traits: Traits<WorkspaceTraits>,
  metrics: HTMLElement,
  signal: AbortSignal,
): Brushing {
  const select = (rows: readonly number[]) => traits.set("selection", [...rows]);
  const selected = createSelected(nRows, () => select([]), signal);
  let latest: { readonly context: Context; readonly view: View } | null = null;
  let confusion: Confusion | null = null;
  const place = ({ data }: Context) => {
    const message = data.message.outcomes.confusion;
    if (!message || !data.outcomes) return null;
    const made = createConfusion(message, data.outcomes, select, signal);
    metrics.querySelector(".ts-all-metrics")?.after(made.element);
    return made;
  };
  const draw = () => {
    frame = 0;
    if (latest && !confusion?.element.isConnected) confusion = place(latest.context);
    if (latest) confusion?.update(latest.context, latest.view);
    selected.update(traits.get("selection") ?? [], latest?.view ?? null);
  };
  let frame = 0;
  const soon = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
  traits.onChange(["selection"], soon);
  selected.update(traits.get("selection") ?? [], null);
  return {
    element: selected.element,
    show(context, view) {
      latest = { context, view };
      soon();
    },
  };
}
