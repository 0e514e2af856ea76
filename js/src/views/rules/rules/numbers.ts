/** How probable the decision is, whom the rule covers and how often it is right, and what is proved of the model. */

import { html, setText } from "../../../marks/element";
import type { Counted } from "../../../solve/rules/count";
import { count } from "../../../theme/formats";
import type { Share } from "../../../wire/rules/rules";
import type { Context, Part, Shown, View } from "./context";
import { bracketWords, shareWords } from "./words";

const OF_GROWN = "Of the rule as grown; not of what you moved. ";

const defined = (value: number) => (Number.isNaN(value) ? null : value);

/** A reading, and what it was of the rule as grown; "" where that is shown. */
interface Reading {
  readonly now: string;
  readonly grown: string;
}

function reading(now: number | null, grown: number | null): Reading {
  return { now: now === null ? "none inside" : shareWords(now), grown: shareWords(grown) };
}

const joined = ({ now, grown }: Reading) => (grown ? `${now}, as grown ${grown}` : now);

/** Coverage and precision of one part of the rows; a moved rule has no interval, for its edges follow these rows. */
function shareReadings(grown: Share, moved: Counted | null): readonly [Reading, Reading] {
  if (moved) {
    return [reading(moved.coverage, grown.coverage), reading(defined(moved.precision), grown.precision)];
  }
  const precise = shareWords(grown.precision) + bracketWords(grown);
  return [
    { now: shareWords(grown.coverage), grown: "" },
    { now: precise, grown: "" },
  ];
}

/** The least probability inside; the row itself is always inside. */
function leastInside({ rule, counts }: Shown): number {
  return counts ? Math.min(counts.sdpMin, rule.sdp) : rule.sdp_min;
}

export function numbersWords({ shown }: View): string {
  if (!shown) return "";
  const { rule, counts } = shown;
  const [coverage, precision] = shareReadings(
    rule.held_out ?? rule.training,
    counts ? (counts.heldOut ?? counts.training) : null,
  );
  return `Least probability inside ${shareWords(leastInside(shown))}, coverage ${joined(coverage)}, precision ${joined(precision)}.`;
}

export function createNumbers(_: Context): Part {
  const line = (testid: string) => {
    const [term, value, before] = [html("dt"), html("span"), html("small", { class: "ts-quiet" })];
    const say = ({ now, grown }: Reading) => {
      setText(value, now);
      setText(before, grown && ` as grown ${grown}`);
    };
    return {
      term,
      say,
      element: html("div", {}, term, html("dd", { "data-testid": testid }, value, before)),
    };
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
  setText(fitted.term, "both, of the forest's own rows");
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
      const [covered, precise] = shareReadings(main, now);
      const kind = rule.held_out ? "held-out rows" : "rows the forest was fitted on";
      const lowest = leastInside(shown);
      sdp.say({ now: shareWords(rule.sdp), grown: "" });
      least.say(counts ? reading(lowest, rule.sdp_min) : { now: shareWords(lowest), grown: "" });
      setText(coverage.term, `coverage of ${count(now?.nRows ?? main.n_rows)} ${kind}`);
      coverage.say(covered);
      precision.say(precise);
      fitted.element.hidden = rule.held_out === null;
      const [some, right] = shareReadings(rule.training, counts?.training ?? null);
      fitted.say({ now: `${some.now}; ${right.now}`, grown: some.grown && `${some.grown}; ${right.grown}` });
      // the page holds float32: π itself may be rounded up
      const under = lowest < answer.pi - 1e-6;
      setText(below, `Rows inside fall below π = ${answer.pi}: this is no sufficient rule any more.`);
      below.hidden = !under;
      const drawn = answer.sampled && ` ${answer.sampled}`;
      const moved = "Counted with the edges moved by hand; no interval, for they follow the same rows.";
      setText(counted, counts ? moved + drawn : main.n_inside === 0 ? rule.sentence : "");
      counted.hidden = counted.textContent === "";
      setText(proof, (counts ? OF_GROWN : "") + rule.proof);
      proof.classList.toggle("ts-is-proved", counts === null && rule.proved === "proved");
      proof.classList.toggle("ts-quiet", counts !== null || rule.proved !== "proved");
    },
  };
}
