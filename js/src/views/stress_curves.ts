/**
 * The stress curves widget: every number it shows was shipped with it, so that a slider answers without the
 * kernel. Intent flows state → traits; state flows traits → panel.
 */

import type { AnyModel, RenderProps } from "@anywidget/types";
import { html } from "../marks/element";
import { applyTheme } from "../theme/theme";
import { UNSTRESSED } from "../wire/stress";
import {
  decodeStressCurves,
  isWaiting,
  type StressCurves,
  type StressCurvesTraits,
} from "../wire/stress_curves";
import { bindTraits, type Traits } from "../wire/traits";
import "./stress_curves.css";
import type { Part } from "./stress_curves/context";
import { createPaintClock, type PaintClock } from "./stress_curves/paint_clock";
import { createPanel } from "./stress_curves/panel";
import { emptyBox, errorBox, waitingBox } from "./stress_curves/problem";
import { FIRST_SHOWN, indexName, type State, stateFromTraits } from "./stress_curves/state";

type Model = AnyModel<StressCurvesTraits>;

const DATA = ["message", "curves", "population", "histograms"] as const;
const CHOICES = ["tau", "feature", "index", "rank_by", "stress"] as const;

/** A controller that also aborts with `signal`, and leaves nothing on it afterwards. */
function within(signal: AbortSignal | undefined): AbortController {
  const inner = new AbortController();
  if (signal?.aborted) inner.abort();
  signal?.addEventListener("abort", () => inner.abort(), { once: true, signal: inner.signal });
  return inner;
}

function readChoices(traits: Traits<StressCurvesTraits>) {
  return {
    tau: traits.get("tau"),
    feature: traits.get("feature"),
    index: traits.get("index"),
    rank_by: traits.get("rank_by"),
    stress: traits.get("stress"),
  };
}

/** Traits from a state; the shared stress only when a person moved it, for it may hold what is not shown here. */
function writeChoices(
  traits: Traits<StressCurvesTraits>,
  { message }: StressCurves,
  state: State,
  moved: boolean,
): void {
  const tau = message.taus[state.tau] as number;
  const feature = message.features[state.feature]?.name ?? "";
  traits.set("tau", tau);
  traits.set("feature", feature);
  if (moved)
    traits.set("stress", tau === 0 ? { ...UNSTRESSED } : { taus: { [feature]: tau }, hold: message.hold });
  traits.set("index", indexName(message, state.index));
  traits.set("rank_by", state.rankBy);
}

/** Put a panel for this data into the root, following and moving the traits until the signal aborts. */
function mount(
  root: HTMLElement,
  data: StressCurves,
  model: Model,
  clock: PaintClock,
  signal: AbortSignal,
): void {
  const traits = bindTraits(model, signal);
  let state: State = { ...stateFromTraits(data, readChoices(traits)), query: "", limit: FIRST_SHOWN };
  let writing = false;
  const show = (change: Partial<State>, event: Event | null) => {
    const before = state;
    state = { ...state, ...change };
    panel.update(state, before);
    clock.changed(event);
  };
  const panel: Part = createPanel(data, {
    signal,
    intend: (change, event) => {
      const moved = "tau" in change || ("feature" in change && state.elsewhere === "");
      show(moved ? { ...change, elsewhere: "" } : change, event);
      writing = true;
      writeChoices(traits, data, state, moved);
      writing = false;
    },
  });
  traits.onChange(CHOICES, () => {
    if (writing) return;
    const next = stateFromTraits(data, readChoices(traits), state);
    const moved = (Object.keys(next) as (keyof typeof next)[]).some((key) => next[key] !== state[key]);
    if (moved) show(next, null);
  });
  root.replaceChildren(panel.element);
  panel.update(state, null);
  clock.changed(null);
}

function render({ model, el, signal }: RenderProps<StressCurvesTraits>): () => void {
  const life = within(signal);
  const root = html("div", { class: "tauscope ts-stress-curves", lang: "en" });
  applyTheme(root);
  el.append(root);
  const clock = createPaintClock(root, life.signal);
  const traits = bindTraits<StressCurvesTraits>(model, life.signal);

  let shown = within(life.signal);
  const draw = () => {
    shown.abort();
    shown = within(life.signal);
    const message = traits.get("message");
    if (isWaiting(message)) {
      root.replaceChildren(waitingBox());
      return;
    }
    try {
      const data = decodeStressCurves({
        message,
        curves: traits.get("curves"),
        population: traits.get("population"),
        histograms: traits.get("histograms"),
      });
      if (data.message.features.length === 0) root.replaceChildren(emptyBox(data.message));
      else mount(root, data, model, clock, shown.signal);
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
