/** An attack on the curve: perturbed rows that bend one point of it, and what each bound says of that. */

import { axis, finiteExtent } from "../../../marks/axis";
import { createButton } from "../../../marks/button";
import { createDetails } from "../../../marks/details";
import { html, listen, setAttributes, setText, svg } from "../../../marks/element";
import { linePath } from "../../../marks/path";
import { createOption } from "../../../marks/picker";
import { rowHead, tableHead } from "../../../marks/table";
import { isAccumulated, kindLabel } from "../../../wire/effects/effect";
import type { AttackedMessage } from "../../../wire/messages";
import { capitalize } from "../../shared/words";
import type { Context, Part } from "./context";
import { differenceFormat } from "./reading";

const METHODS = [
  ["greedy", "greedy: a tenth of the rows, chosen one by one"],
  ["gaussian", "noise on every row"],
  ["genetic", "genetic search"],
] as const;
const AIMS = [
  ["high", "up"],
  ["low", "down"],
] as const;
const WIDTH = 280;
const HEIGHT = 110;

function picker(
  label: string,
  testid: string,
  options: readonly (readonly [string, string])[],
): HTMLSelectElement {
  const entries = options.map(([value, words]) => createOption(value, words));
  return html("select", { "aria-label": label, "data-testid": testid }, ...entries);
}

/** The curve before and after, the point attacked marked. */
function drawAttack({ points, before, after, place, labels, feature }: AttackedMessage): SVGSVGElement {
  const numbers = (values: readonly (number | null)[]) => values.map((value) => value ?? Number.NaN);
  const at = points.map((point, k) => (points.every((one) => one !== null) ? (point as number) : k));
  const x = axis(finiteExtent([at]), [6, WIDTH - 6]);
  const y = axis(finiteExtent([numbers(before), numbers(after)]), [HEIGHT - 20, 6]);
  const path = (values: readonly (number | null)[]) =>
    linePath(
      at.keys(),
      (k) => x.at(at[k] as number),
      (k) => y.at(values[k] ?? Number.NaN),
    );
  const [px, from, to] = [
    x.at(at[place] as number),
    y.at(before[place] ?? Number.NaN),
    y.at(after[place] ?? Number.NaN),
  ];
  const anchor = px < 60 ? "start" : px > WIDTH - 60 ? "end" : "middle";
  const words = `The curve on ${feature} before and after the attack at ${labels[place]}`;
  const picture = svg("svg", { class: "ts-attack-picture", role: "img", "aria-label": words });
  setAttributes(picture, { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT });
  picture.append(
    svg("line", { class: "ts-cursor", x1: px, x2: px, y1: from, y2: to }),
    svg("path", { class: "ts-known", d: path(before) }),
    svg("path", { class: "ts-attacked", d: path(after) }),
    svg("circle", { class: "ts-known-dot", cx: px, cy: from, r: 3.5 }),
    svg("circle", { class: "ts-attacked-dot", cx: px, cy: to, r: 4 }),
    svg("text", { class: "ts-tick", x: px, y: HEIGHT - 5, "text-anchor": anchor }, labels[place] ?? ""),
  );
  return picture;
}

export function createAttack({ message, attack, signal, stop }: Context): Part {
  const method = picker("Method", "attack-method", METHODS);
  const aim = picker("Direction", "attack-aim", AIMS);
  const button = createButton({ "data-testid": "attack" }, "Attack", signal, () => {
    if (busy) stop();
    else attack({ method: method.value, aim: aim.value });
  });
  const result = html("div", { class: "ts-attack-result", "data-testid": "attacked" });
  const about = html("p", { class: "ts-quiet" });
  const form = html("div", { class: "ts-attack-form" }, method, aim, button);
  const element = createDetails("Attack the data behind it", about, form, result);
  element.classList.add("ts-attack");
  element.hidden = !message.live;
  let busy = false;
  let told: AttackedMessage | null = null;
  const changed = () => {
    aim.hidden = method.value === "gaussian";
  };
  listen(method, "change", signal, changed);

  return {
    element,
    update({ state, shown, progress, attacked }) {
      busy = progress.task === "attack";
      setText(button, busy ? "Stop" : "Attack");
      const kind = shown.part.kind === "cd" ? "cd" : "pd";
      const instead = isAccumulated(shown.part.kind)
        ? "; an accumulated effect is attacked as partial dependence"
        : "";
      const of = state.features[0] ?? "";
      setText(
        about,
        `Changes two other columns of some rows to bend the ${kindLabel(message, kind)} on ${of} at its middle${instead}.`,
      );
      const here =
        attacked?.feature === of && attacked.target_class === message.classes[state.output] ? attacked : null;
      if (here === told) return;
      told = here;
      result.replaceChildren();
      if (!here) return;
      const difference = differenceFormat(message, shown);
      const sentence = capitalize(here.sentence);
      const rows = here.verdicts.map(({ bound, status, lower, upper, holds }) => {
        const unknown = lower === null || upper === null;
        const verdict = unknown ? "unknown" : holds ? "holds" : "passed by the attack";
        const proven = status === "certified" ? "certified for this change" : status;
        return html(
          "tr",
          {},
          rowHead(`${bound} (${proven})`),
          html("td", {}, unknown ? "n/a" : `${difference(lower)} to ${difference(upper)}`),
          html("td", { class: holds || unknown ? "" : "ts-failed" }, verdict),
        );
      });
      const table = html(
        "table",
        { class: "ts-verdicts" },
        tableHead("bound", "allows", "verdict"),
        html("tbody", {}, ...rows),
      );
      result.append(html("p", {}, html("b", {}, `${sentence}.`)), drawAttack(here), table);
    },
  };
}
