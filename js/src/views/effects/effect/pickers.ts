/** What is shown: feature, second feature, kind, class, and the kinds laid over it. */

import { html, listen } from "../../../marks/element";
import { type Kind, kindLabel } from "../../../wire/effects/effect";
import type { Context, Part } from "./context";

const NO_SECOND = "";
const COMPARED = ["pd", "cd", "ale"] as const satisfies readonly Kind[];

type Options = readonly (readonly [value: string, words: string, off?: boolean])[];

function picker(label: string, testid: string): HTMLSelectElement {
  return html("select", { class: "ts-heading", "aria-label": label, "data-testid": testid });
}

/** Bring a picker's options to what there is, touching the page only when they differ. */
function offer(select: HTMLSelectElement, options: Options, chosen: string): void {
  const drawn = JSON.stringify(options);
  if (select.dataset.options !== drawn) {
    select.dataset.options = drawn;
    select.replaceChildren(
      ...options.map(([value, words, off]) => html("option", { value, disabled: off === true }, words)),
    );
  }
  select.value = chosen;
}

export function createPickers(context: Context): Part {
  const { message, intend, signal, there } = context;
  const feature = picker("Feature", "feature");
  const second = picker("Second feature", "second-feature");
  const kind = picker("Kind of effect", "kind");
  const target = picker("Class", "class");
  const of = html("span", { class: "ts-quiet" }, "Effect of");
  const and = html("span", { class: "ts-quiet" }, "and");
  const on = html("span", { class: "ts-quiet" }, "on class");
  const by = picker("Groups of rows", "by");
  const label = html("label", { class: "ts-quiet" }, "by ", by);
  const chooser = html("div", { class: "ts-pickers" }, of, feature, and, second, kind, on, target);
  const boxes = COMPARED.map((one) => {
    const box = html("input", { type: "checkbox", "data-testid": `compare-${one}` });
    return { one, box, label: html("label", {}, box, ` ${kindLabel(message, one)}`) };
  });
  const compare = html("span", { class: "ts-quiet" }, "compare with");
  const over = html("div", { class: "ts-compare" }, compare, ...boxes.map(({ label }) => label), label);
  const element = html("div", { class: "ts-choice" }, chooser, over);

  const features = () => (second.value === NO_SECOND ? [feature.value] : [feature.value, second.value]);
  /** A kind that is there for these features, the one wanted if it is. */
  const kindFor = (names: readonly string[], wanted: Kind): Kind => {
    const kinds = there(names).map((part) => part.kind);
    return message.live || kinds.includes(wanted) || kinds.length === 0 ? wanted : (kinds[0] as Kind);
  };
  const choose = (event: Event) => {
    const names = features();
    const only = names[1] === names[0] ? names.slice(0, 1) : names;
    intend(
      {
        features: only,
        kind: kindFor(only, kind.value as Kind),
        compared: only.length === 2 ? [] : checked(),
      },
      event,
    );
  };
  const checked = () => boxes.filter(({ box, label }) => box.checked && !label.hidden).map(({ one }) => one);
  for (const select of [feature, second, kind]) listen(select, "change", signal, choose);
  listen(target, "change", signal, (event) => intend({ output: target.selectedIndex }, event));
  listen(by, "change", signal, (event) => intend({ by: by.value }, event));
  for (const { box } of boxes) {
    listen(box, "change", signal, (event) => intend({ compared: checked() }, event));
  }

  return {
    element,
    update({ state }) {
      const names = message.live ? message.features : shippedFeatures(context);
      const [first = "", other = NO_SECOND] = state.features;
      offer(
        feature,
        names.map((name) => [name, name]),
        first,
      );
      const seconds = message.live ? message.features : shippedPairs(context, first);
      offer(
        second,
        [
          [NO_SECOND, "no second feature"],
          ...seconds.filter((name) => name !== first).map((name) => [name, name] as const),
        ],
        other,
      );
      and.hidden = second.hidden = seconds.filter((name) => name !== first).length === 0;
      const kinds = there(state.features).map((part) => part.kind);
      offer(
        kind,
        message.kinds.map(({ name, label }) => [name, label, !message.live && !kinds.includes(name)]),
        state.kind,
      );
      offer(
        target,
        message.classes.map((name) => [name, name]),
        message.classes[state.output] ?? "",
      );
      offer(by, [["", "all rows"], ...message.by.map((name) => [name, name] as const)], state.by);
      label.hidden = message.by.length === 0 || state.features.length === 2;
      on.hidden = target.hidden = message.classes.length === 1;
      for (const { one, box, label } of boxes) {
        box.checked = state.compared.includes(one);
        label.hidden = one === state.kind || !(message.live || kinds.includes(one));
      }
      compare.hidden = boxes.every(({ label }) => label.hidden);
      over.hidden = state.features.length === 2 || (compare.hidden && label.hidden);
    },
  };
}

function shippedFeatures({ message }: Context): string[] {
  return [...new Set(message.parts.map(({ features }) => features[0] as string))];
}

function shippedPairs({ message }: Context, first: string): string[] {
  return [
    ...new Set(
      message.parts.flatMap(({ features }) => (features[0] === first && features[1] ? [features[1]] : [])),
    ),
  ];
}
