/** The sample around the flip on the two components that were fitted to it. */

import { axis, finiteExtent } from "../../../marks/axis";
import { html, setText, svg } from "../../../marks/element";
import { sizes } from "../../../theme/theme";
import type { Projection } from "../../../wire/boundary/boundary";
import type { Context, Part } from "./context";

const { width, height, edge, radius } = sizes.projection;

function drawPoints({ first, second, flipped }: Projection): SVGCircleElement[] {
  const x = axis(finiteExtent([first]), [edge, width - edge]);
  const y = axis(finiteExtent([second]), [height - edge, edge]);
  return first.map((value, k) =>
    svg("circle", {
      class: flipped[k] ? "ts-beyond" : "ts-own",
      cx: x.at(value).toFixed(1),
      cy: y.at(second[k] as number).toFixed(1),
      r: radius,
    }),
  );
}

export function createProjection(_: Context): Part {
  const picture = svg("svg", { class: "ts-projection", role: "img", viewBox: `0 0 ${width} ${height}` });
  const words = html("p", { class: "ts-quiet ts-gloss", "data-testid": "projection" });
  const title = html("h3", {}, "The sample on two components");
  const element = html("section", { "aria-label": "Sample on two components" }, title, words);
  title.after(picture);
  let drawn: Projection | null = null;
  return {
    element,
    update({ answer, stale }) {
      const { projection } = answer;
      element.hidden = projection === null;
      element.classList.toggle("ts-is-stale", stale);
      if (projection === null || projection === drawn) return;
      drawn = projection;
      setText(words, `${projection.words} (filled).`);
      picture.setAttribute("aria-label", projection.words);
      picture.replaceChildren(...drawPoints(projection));
    },
  };
}
