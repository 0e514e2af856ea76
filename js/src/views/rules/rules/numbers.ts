/** How probable the decision is, whom the rule covers and how often it is right, and what is proved of the model. */

import { html, setText } from "../../../marks/element";
import type { Counted } from "../../../solve/rules/count";
import { count } from "../../../theme/formats";
import type { Share } from "../../../wire/rules/rules";
import type { Context, Part, Shown, View } from "./context";
import { bracketWords, shareWords } from "./words";

const OF_GROWN = "Of the rule as grown; not of what you moved. ";

const defined = (value: number) => (Number.isNaN(value) ? null : value);

/** A number now, and as grown where it was moved. */
function change(now: number | null, grown: number | null): string {
  return now === null
    ? `none inside; as grown ${shareWords(grown)}`
    : `${shareWords(now)}, as grown ${shareWords(grown)}`;
}

/** Coverage and precision of one part of the rows; a moved rule has no interval, for its edges follow these rows. */
function shareCells(grown: Share, moved: Counted | null): readonly [string, string] {
  if (moved)
    return [change(moved.coverage, grown.coverage), change(defined(moved.precision), grown.precision)];
  return [shareWords(grown.coverage), shareWords(grown.precision) + bracketWords(grown)];
}

/** The least probability inside; the row itself is always inside. */
function leastInside({ rule, counts }: Shown): number {
  return counts ? Math.min(counts.sdpMin, rule.sdp) : rule.sdp_min;
}

export function numbersWords({ shown }: View): string {
  if (!shown) return "";
  const { rule, counts } = shown;
  const [coverage, precision] = shareCells(
    rule.held_out ?? rule.training,
    counts ? (counts.heldOut ?? counts.training) : null,
  );
  return `Least probability inside ${shareWords(leastInside(shown))}, coverage ${coverage}, precision ${precision}.`;
}

export function createNumbers(_: Context): Part {
  const line = (testid: string) => {
    const [term, value] = [html("dt"), html("dd", { "data-testid": testid })];
    return { term, value, element: html("div", {}, term, value) };
  };
  const [sdp, least, coverage, precision] = ["sdp", "least", "coverage", "precision"].map(line) as [
    ReturnType<typeof line>,
    ReturnType<typeof line>,
    ReturnType<typeof line>,
    ReturnType<typeof line>,
  ];
  const fitted = line("fitted");
  const below = html("p", { class: "ts-doubtful", "data-testid": "below" });
  const counted = html("p", { class: "ts-quiet", "data-testid": "counted" });
  const proof = html("p", { class: "ts-proof", "data-testid": "proof" });
  const lines = [sdp, least, coverage, precision, fitted];
  const element = html(
    "section",
    { class: "ts-figures", "aria-label": "Numbers" },
    html("h3", {}, "How sure it is"),
    html("dl", {}, ...lines.map((one) => one.element)),
    below,
    counted,
    proof,
  );
  setText(sdp.term, "same-decision probability, at the row");
  setText(least.term, "least at the forest's rows inside");
  setText(precision.term, "precision: of these decided so");
  return {
    element,
    update({ shown, answer, stale }) {
      element.hidden = shown === null;
      element.classList.toggle("ts-is-stale", stale);
      if (!shown) return;
      const { rule, counts } = shown;
      const main = rule.held_out ?? rule.training;
      const now = counts ? (counts.heldOut ?? counts.training) : null;
      const [covered, precise] = shareCells(main, now);
      const kind = rule.held_out ? "held-out rows" : "rows the forest was fitted on";
      const lowest = leastInside(shown);
      setText(sdp.value, shareWords(rule.sdp));
      setText(least.value, counts ? change(lowest, rule.sdp_min) : shareWords(lowest));
      setText(coverage.term, `coverage of ${count(now?.nRows ?? main.n_rows)} ${kind}`);
      setText(coverage.value, covered);
      setText(precision.value, precise);
      fitted.element.hidden = rule.held_out === null;
      const [trainingCoverage, trainingPrecision] = shareCells(rule.training, counts?.training ?? null);
      setText(fitted.term, "coverage and precision where the forest was fitted");
      setText(fitted.value, `${trainingCoverage}; ${trainingPrecision}`);
      // the page holds float32: π itself may be rounded up
      const under = lowest < answer.pi - 1e-6;
      setText(below, `Rows inside fall below π = ${answer.pi}: this is no sufficient rule any more.`);
      below.hidden = !under;
      const drawn = answer.sampled && ` ${answer.sampled}`;
      const moved = "Counted with the edges moved by hand; no interval, for they follow the same rows.";
      setText(counted, counts ? moved + drawn : rule.sentence);
      setText(proof, (counts ? OF_GROWN : "") + rule.proof);
      proof.classList.toggle("ts-is-proved", counts === null && rule.proved === "proved");
      proof.classList.toggle("ts-quiet", counts !== null || rule.proved !== "proved");
    },
  };
}
