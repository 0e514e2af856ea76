/**
 * The workspace: the population and its sliders, curves, and beside them the view chosen, all under one stress. The
 * single views are drawn as they are, each on the traits that the workspace holds for it.
 */

import "./style.css";
import "./head.css";
import "./arrange.css";
import { createButton } from "../../../marks/button";
import { html, listen } from "../../../marks/element";
import { followWidth } from "../../../marks/resize";
import {
  openedMessage,
  type WorkspaceTraits,
  type WorkspaceViewMessage,
  workspaceMessage,
} from "../../../wire/messages";
import { recordOf } from "../../../wire/schema";
import { readStress } from "../../../wire/shared_stress";
import { createView, type Stage } from "../../shared/view";
import type { Pieces, Place } from "../../stress/joint/panel";
import { createBrushing } from "./brushing";
import { createHead } from "./head";
import { createHistory } from "./history";
import { innerModel } from "./inner_model";
import { createInside } from "./inside";
import { createAsk } from "./kernel_requests";
import { createNumbers, type Numbers } from "./numbers";
import { createOpening, type Opening } from "./opening";
import { createScenarios, nameOf } from "./scenarios";
import { createShown } from "./shown";

let last = 0;

/** The views to choose from, one shown at a time: tabs as in any application, by arrow keys too. */
function createTabs(
  views: readonly WorkspaceViewMessage[],
  choose: (name: string) => void,
  signal: AbortSignal,
) {
  const id = `ts-tabs-${++last}`;
  const entries = views.map(({ name, label }) => {
    const tab = createButton(
      {
        role: "tab",
        id: `${id}-${name}`,
        "aria-controls": `${id}-${name}-panel`,
        "data-testid": `tab-${name}`,
        class: "ts-tab",
      },
      label,
      signal,
      () => choose(name),
    );
    const panel = html("div", {
      role: "tabpanel",
      id: `${id}-${name}-panel`,
      "aria-labelledby": `${id}-${name}`,
      class: "ts-tab-panel",
      "data-testid": `panel-${name}`,
    });
    return { name, tab, panel };
  });
  const list = html(
    "div",
    { role: "tablist", class: "ts-tabs", "aria-label": "Views" },
    ...entries.map(({ tab }) => tab),
  );
  listen(list, "keydown", signal, ({ key }) => {
    const there = entries.filter(({ tab }) => !tab.hidden);
    const at = there.findIndex(({ tab }) => tab === document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: there.length - 1 }[key];
    if (to === undefined || at < 0) return;
    const next = there[(to + there.length) % there.length];
    next?.tab.focus();
    if (next) choose(next.name);
  });
  return {
    element: html("section", { class: "ts-views" }, list, ...entries.map(({ panel }) => panel)),
    /** Where the content of a view goes. */
    panel: (name: string) => entries.find((entry) => entry.name === name)?.panel ?? html("div"),
    /** @param hidden the view that stands elsewhere; "" for none */
    show(name: string, hidden: string) {
      for (const { name: own, tab, panel } of entries) {
        const chosen = own === name;
        tab.hidden = own === hidden;
        tab.setAttribute("aria-selected", String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
        panel.hidden = !chosen;
      }
    },
  };
}

/** From here on sliders stand beside the rest; and from here on the curves beside the views. */
const [BESIDE, WIDE] = [640, 1040];

function mount(stage: Stage<WorkspaceTraits>): void {
  const { root, traits, model, signal, clock } = stage;
  const message = workspaceMessage(traits.get("message"), "message");
  const ask = createAsk(model, signal);
  let known: Numbers | undefined;
  const numbers = () => {
    known ??= createNumbers(innerModel(model, "joint", { stress: "stress" }), signal);
    return known;
  };
  const inside = createInside(model, signal);
  const history = createHistory(readStress(traits.get("stress")));
  const scenarios = createScenarios(traits, message, numbers, ask);
  let told: Pieces["population"] | undefined;
  const rename = () => told?.name(nameOf(scenarios.all(), scenarios.stress()));

  const head = createHead(message, {
    ...{ history, ask, signal, gone: stage.gone },
    shown: createShown(model, message.title, numbers, () => ({
      population: told?.spoken() ?? "",
      panel: (name) => (name === "curves" ? curves : tabs.panel(name)),
    })),
    scenarios,
    step(by) {
      const stress = history.step(by);
      if (stress) traits.set("stress", stress);
      head.update();
    },
  });
  const tabs = createTabs(message.views, (name) => traits.set("view", name), signal);
  const cell = (name: string) => html("div", { class: `tauscope ts-joint-stress ts-cell ts-cell-${name}` });
  const [population, sliders, metrics] = [cell("population"), cell("sliders"), cell("metrics")];
  tabs.panel("metrics").append(metrics);
  const brushing = createBrushing(message.n_rows, traits, metrics, ask, signal);
  const place: Place = (pieces) => {
    told = pieces.population;
    population.replaceChildren(told.element, brushing.element);
    sliders.replaceChildren(pieces.aside);
    metrics.replaceChildren(pieces.main, pieces.far);
    return html("div", {}, pieces.announcer);
  };
  const joint = inside.joint(place, brushing.show);
  const curves = html(
    "div",
    { class: "ts-cell ts-cell-curves" },
    inside.curve(),
    inside.curve("second_metric"),
  );
  const cause = html("div", { class: "ts-cause" }, population, sliders);
  const body = html("div", { class: "ts-workspace-body" }, cause, curves, tabs);

  const drawn = new Set(["metrics", "curves"]);
  const openings = new Map<string, Opening>();
  const kernel = stage.gone ? "gone" : message.live ? "live" : "none";
  const raise = (trait: "stop" | "compute") => traits.set(trait, (traits.get(trait) ?? 0) + 1);
  const openingOf = (view: string) => {
    const made = openings.get(view);
    if (made) return made;
    const { label, refused } = message.views.find(({ name }) => name === view) ?? {
      label: view,
      refused: "",
    };
    const actions = { cancel: () => raise("stop"), compute: () => raise("compute") };
    const opening = createOpening(label, refused, kernel, actions, signal);
    openings.set(view, opening);
    tabs.panel(view).replaceChildren(opening.element);
    return opening;
  };
  let wide = false;
  const show = () => {
    const chosen = traits.get("view");
    const view = wide && chosen === "curves" ? "metrics" : chosen;
    tabs.show(view, wide ? "curves" : "");
    if (drawn.has(view)) return;
    const opened = recordOf(openedMessage)(traits.get("opened") ?? {}, "opened")[view];
    if (opened?.state === "open") {
      drawn.add(view);
      tabs.panel(view).replaceChildren(inside.view(view));
    } else openingOf(view).update(opened);
  };
  const arrange = (width: number) => {
    wide = width >= WIDE;
    root.classList.toggle("ts-is-wide", wide);
    root.classList.toggle("ts-is-beside", width >= BESIDE);
    if (wide) body.insertBefore(curves, tabs.element);
    else tabs.panel("curves").append(curves);
    show();
  };
  traits.onChange(["view", "opened"], stage.guard(show));
  traits.onChange(["stress"], () => {
    history.add(readStress(traits.get("stress")));
    head.update();
    rename();
    clock.changed(null);
  });
  traits.onChange(["scenarios"], rename);
  root.replaceChildren(head.element, joint, body);
  head.update();
  rename();
  arrange(root.clientWidth);
  const pointed = sliders.querySelector<HTMLElement>(".ts-is-pointed");
  if (pointed && pointed.offsetTop > sliders.clientHeight) sliders.scrollTop = pointed.offsetTop;
  followWidth(root, signal, arrange);
  clock.changed(null);
}

export default createView<WorkspaceTraits>({
  works: "What the page computes still works: sliders, curves, metrics and the views opened before.",
  root: "ts-workspace",
  data: ["message"],
  awaited: "the study",
  shown: "This workspace",
  mount,
});
