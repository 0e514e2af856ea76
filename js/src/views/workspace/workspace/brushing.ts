/** One selection of rows: made by a cell of the confusion matrix, told below the population. */

import { followPresence } from "../../../marks/presence";
import { selectedMessage, type WorkspaceTraits } from "../../../wire/messages";
import { unlessEmpty } from "../../../wire/schema";
import { oncePerFrame } from "../../shared/once_per_frame";
import { inNextFrame, type Part, whileHere } from "../../shared/part";
import type { Traits } from "../../shared/traits";
import type { Context, View } from "../../stress/joint/context";
import { type Confusion, createConfusion } from "./confusion";
import { placesHere, placesInKernel } from "./confusion_places";
import type { Ask } from "./kernel_requests";
import { createSelected } from "./selected";

export interface Brushing {
  /** What is selected. */
  readonly element: HTMLElement;
  /** The population is another, or its numbers are there. */
  show(context: Context, view: View): void;
}

/** What the panel of the sliders and metrics shows. */
interface Shown {
  readonly context: Context;
  readonly view: View;
}

/** The confusion matrix of what is shown, if it has one, after all metrics. */
function createMatrix(
  metrics: HTMLElement,
  select: (rows: readonly number[]) => void,
  ask: Ask,
  signal: AbortSignal,
): Part<Shown> {
  let confusion: Confusion | null = null;
  const place = ({ data, gone }: Context) => {
    const message = data.message.outcomes.confusion;
    if (!message) return null;
    const places = data.outcomes
      ? placesHere(message, data.outcomes, select)
      : message.in_kernel && placesInKernel(message.in_kernel, (place) => ask("cell", { place }), gone);
    if (!places) return null;
    const made = createConfusion(message, places, signal);
    metrics.querySelector(".ts-all-metrics")?.after(made.element);
    return made;
  };
  return {
    element: metrics,
    update({ context, view }) {
      // a panel drawn anew has put its own pieces in the place of all
      if (!metrics.contains(confusion?.element ?? null)) confusion = place(context);
      confusion?.update(context, view);
    },
  };
}

/**
 * @param nRows of the study
 * @param ask the kernel, where the rows are there
 */
export function createBrushing(
  nRows: number,
  traits: Traits<WorkspaceTraits>,
  metrics: HTMLElement,
  ask: Ask,
  signal: AbortSignal,
): Brushing {
  const select = (rows: readonly number[]) => traits.set("selection", [...rows]);
  const selected = createSelected(nRows, () => select([]), signal);
  const presence = followPresence(metrics, signal);
  const matrix = inNextFrame(whileHere(createMatrix(metrics, select, ask, signal), presence), signal);
  let latest: Shown | null = null;
  const tell = () => {
    const byKernel = unlessEmpty(selectedMessage)(traits.get("selected"), "selected");
    selected.update(traits.get("selection") ?? [], latest?.view ?? null, byKernel);
  };
  const soon = oncePerFrame(tell, signal);
  traits.onChange(["selection", "selected"], soon);
  tell();
  return {
    element: selected.element,
    show(context, view) {
      const before = latest;
      latest = { context, view };
      matrix.update(latest, before);
      soon();
    },
  };
}
