/** A feature's curve at the size of a word, on a scale shared by all features. */

import { sizes } from "../theme/theme";
import { axis } from "./axis";
import { svg } from "./element";
import { linePath } from "./path";

export interface Sparkline {
  readonly element: SVGSVGElement;
  draw(values: ArrayLike<number>, domain: readonly [number, number]): void;
}

export function createSparkline(): Sparkline {
  const { width, height } = sizes.sparkline;
  const path = svg("path", { class: "ts-spark-line" });
  const element = svg("svg", { class: "ts-spark", width, height, "aria-hidden": "true" }, path);
  return {
    element,
    draw(values, [low, high]) {
      const along = width / Math.max(1, values.length - 1);
      const y = axis([low, high], [height - 2, 2]).at;
      const positions = Array.from(values, (_, t) => t);
      path.setAttribute(
        "d",
        linePath(
          positions,
          (t) => t * along,
          (t) => y(values[t] as number),
        ),
      );
    },
  };
}
