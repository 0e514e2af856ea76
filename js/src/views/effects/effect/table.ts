/** The numbers behind the picture. */

import type { TableContent } from "../../../marks/data_table";
import type { EffectMessage } from "../../../wire/effects/effect";
import { effectFormat, type View } from "./context";
import { shareWords } from "./words";

const MOST_ROWS = 60;

export function tableOf(message: EffectMessage, { shown }: View): TableContent {
  const { part, known, moved, bounds, distance } = shown;
  const { bare } = effectFormat(message, shown);
  const across = part.axes[1]?.points.length ?? 1;
  const columns: (readonly [string, ArrayLike<number>])[] = [
    ["effect", known.value],
    ["lower", known.lower],
    ["upper", known.upper],
  ];
  if (moved) {
    const { curve } = moved;
    columns.push(["under the stress", curve.value], ["its lower", curve.lower], ["its upper", curve.upper]);
  }
  if (bounds) {
    columns.push(["certified lower", bounds.certified.lower], ["certified upper", bounds.certified.upper]);
    if (bounds.paper)
      columns.push(["paper's lower", bounds.paper.lower], ["paper's upper", bounds.paper.upper]);
  }
  const { groups } = shown;
  groups?.curves(shown.output).forEach(({ value, lower, upper }, k) => {
    const name = groups.groups[k]?.label;
    columns.push([`${name}`, value], [`${name}, lower`, lower], [`${name}, upper`, upper]);
  });
  if (groups && groups.groups.length > 1) {
    const gaps = Array.from({ length: part.n_points }, (_, g) => groups.gap(shown.output, g));
    const ends = (of: "value" | "lower" | "upper") => gaps.map((gap) => gap?.[of] ?? Number.NaN);
    columns.push(["gap", ends("value")], ["gap, lower", ends("lower")], ["gap, upper", ends("upper")]);
  }
  const every = Math.ceil(part.n_points / MOST_ROWS);
  const rows = Array.from({ length: part.n_points }, (_, g) => g).filter((g) => g % every === 0);
  const unit = message.response_kind === "share" ? ", per cent" : "";
  return {
    caption: `${part.title}${unit}${bounds ? `; bounds for ${shareWords(distance)} of the rows replaced` : ""}`,
    columns: [...part.axes.map(({ name }) => name), ...columns.map(([name]) => name)],
    rows: rows.map((g) => [
      ...part.axes.map(
        ({ labels }, k) =>
          labels[part.axes.length === 1 || k === 1 ? g % labels.length : Math.floor(g / across)] ?? "",
      ),
      ...columns.map(([, values]) => bare(values[g] as number)),
    ]),
  };
}
