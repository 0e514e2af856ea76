/** The surface widget: every number it shows was shipped with it; the shared stress is its position. */

import type { RenderProps } from "@anywidget/types";
import { html } from "../marks/element";
import { applyTheme } from "../theme/theme";
import { readStress, sameStress, UNSTRESSED } from "../wire/stress";
import { isWaiting } from "../wire/stress_curves";
import { decodeStressSurface, type StressSurface, type StressSurfaceTraits } from "../wire/stress_surface";
import { bindTraits, type Traits } from "../wire/traits";
import { WireError } from "../wire/wire_error";
import "./stress_surface.css";
import { createPaintClock, type PaintClock } from "./stress_curves/paint_clock";
import { createPanel } from "./stress_surface/panel";
import { type State, stateOf, stressAt } from "./stress_surface/state";

const DATA = ["message", "answers", "population"] as const;

/** A controller that also aborts with `signal`, and leaves nothing on it afterwards. */
function within(signal: AbortSignal | undefined): AbortController {
  const inner = new AbortController();
  if (signal?.aborted) inner.abort();
  signal?.addEventListener("abort", () => inner.abort(), { once: true, signal: inner.signal });
  return inner;
}

function errorBox(error: unknown): HTMLElement {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof WireError ? "The message from the kernel cannot be read" : "Drawing failed";
  return html(
    "div",
    { class: "ts-box ts-error", role: "alert" },
    html("b", {}, "This stress surface cannot be shown."),
    html("p", {}, `${cause}: ${reason}.`),
  );
}

/** The stress the trait holds; one that cannot be read moves nothing. */
function stressOf(traits: Traits<StressSurfaceTraits>) {
  try {
    return readStress(traits.get("stress") ?? {});
  } catch (error) {
    if (error instanceof WireError) return UNSTRESSED;
    throw error;
  }
}

function mount(
  root: HTMLElement,
  data: StressSurface,
  traits: Traits<StressSurfaceTraits>,
  clock: PaintClock,
  signal: AbortSignal,
): void {
  let state: State = stateOf(data, stressOf(traits), traits.get("index"));
  let writing = false;
  const show = (next: State, event: Event | null) => {
    const before = state;
    state = next;
    panel.update(state, before);
    clock.changed(event);
  };
  const panel = createPanel(data, {
    signal,
    intend(change, event) {
      const stress = change.at ? stressAt(data.message, state.stress, change.at) : state.stress;
      show({ ...state, ...change, stress }, event);
      writing = true;
      if (change.at) traits.set("stress", stress);
      traits.set("index", data.message.indices[state.index]?.name ?? "");
      writing = false;
    },
  });
  traits.onChange(["stress", "index"], () => {
    if (writing) return;
    const next = stateOf(data, stressOf(traits), traits.get("index"), state);
    if (next.index !== state.index || !sameStress(next.stress, state.stress)) show(next, null);
  });
  root.replaceChildren(panel.element);
  panel.update(state, null);
  clock.changed(null);
}

function render({ model, el, signal }: RenderProps<StressSurfaceTraits>): () => void {
  const life = within(signal);
  const root = html("div", { class: "tauscope ts-stress-surface", lang: "en" });
  applyTheme(root);
  el.append(root);
  const clock = createPaintClock(root, life.signal);
  const traits = bindTraits<StressSurfaceTraits>(model, life.signal);
  let shown = within(life.signal);
  const draw = () => {
    shown.abort();
    shown = within(life.signal);
    if (isWaiting(traits.get("message"))) {
      root.replaceChildren(
        html("p", { class: "ts-box", role: "status" }, "Waiting for the surface from the kernel…"),
      );
      return;
    }
    try {
      const data = decodeStressSurface({
        message: traits.get("message"),
        answers: traits.get("answers"),
        population: traits.get("population"),
      });
      mount(root, data, bindTraits(model, shown.signal), clock, shown.signal);
    } catch (error) {
      root.replaceChildren(errorBox(error));
    }
  };
  draw();
  let frame = 0;
  traits.onChange(DATA, () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });
  life.signal.addEventListener(
    "abort",
    () => {
      cancelAnimationFrame(frame);
      root.remove();
    },
    { once: true },
  );
  return () => life.abort();
}

export default { render };
