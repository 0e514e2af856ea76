/** The image widget: small multiples of pixels; every number it shows was shipped with it. */

import type { RenderProps } from "@anywidget/types";
import { html } from "../marks/element";
import { applyTheme } from "../theme/theme";
import { isWaiting } from "../wire/stress_curves";
import { decodeStressImage, type StressImage, type StressImageTraits } from "../wire/stress_image";
import { bindTraits, type Traits } from "../wire/traits";
import { WireError } from "../wire/wire_error";
import "./stress_image.css";
import { createPaintClock, type PaintClock } from "./stress_curves/paint_clock";
import { createPanel } from "./stress_image/panel";
import { type State, stateFromTraits } from "./stress_image/state";

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
    html("b", {}, "These maps cannot be shown."),
    html("p", {}, `${cause}: ${reason}.`),
  );
}

function mount(
  root: HTMLElement,
  data: StressImage,
  traits: Traits<StressImageTraits>,
  clock: PaintClock,
  signal: AbortSignal,
): void {
  const chosen = () => stateFromTraits(data, { tau: traits.get("tau"), against: traits.get("against") });
  const [height, width] = data.message.shape;
  let state: State = { ...chosen(), channel: 0, at: [Math.floor(height / 2), Math.floor(width / 2)] };
  let writing = false;
  const show = (change: Partial<State>, event: Event | null) => {
    const before = state;
    state = { ...state, ...change };
    panel.update(state, before);
    clock.changed(event);
  };
  const panel = createPanel(data, {
    signal,
    host: root,
    intend(change, event) {
      show(change, event);
      writing = true;
      if (change.tau !== undefined) traits.set("tau", data.message.taus[state.tau] as number);
      if (change.against !== undefined) traits.set("against", state.against);
      writing = false;
    },
  });
  traits.onChange(["tau", "against"], () => {
    if (writing) return;
    const next = chosen();
    if (next.tau !== state.tau || next.against !== state.against) show(next, null);
  });
  root.replaceChildren(panel.element);
  panel.update(state, null);
  clock.changed(null);
}

function render({ model, el, signal }: RenderProps<StressImageTraits>): () => void {
  const life = within(signal);
  const root = html("div", { class: "tauscope ts-stress-image", lang: "en" });
  applyTheme(root);
  el.append(root);
  const clock = createPaintClock(root, life.signal);
  const traits = bindTraits<StressImageTraits>(model, life.signal);
  let shown = within(life.signal);
  const draw = () => {
    shown.abort();
    shown = within(life.signal);
    if (isWaiting(traits.get("message"))) {
      root.replaceChildren(
        html("p", { class: "ts-box", role: "status" }, "Waiting for the maps from the kernel…"),
      );
      return;
    }
    try {
      const data = decodeStressImage({
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
