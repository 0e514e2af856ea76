/** How probable the decision is, whom the rule covers and how often it is right, and what is proved of the model. */

import { html, setText, showText } from "../../../marks/element";
import type { BoxCounts, Counted } from "../../../solve/rules/count";
import { count } from "../../../theme/formats";
import type { RuleShareMessage } from "../../../wire/messages";
import type { Context, Part, Shown, View } from "./context";
import { bracketWords, shareWords } from "./words";

const OF_GROWN = "Of the rule as grown; not of what you moved. ";

const defined = (value: number) => (Number.isNaN(value) ? null : value);

/** A reading; what it was without the stress, "" where there is none; and of the rule as grown, "" where that is shown. */
interface Reading {
  readonly before: string;
  readonly now: string;
  readonly grown: string;
}

function reading(now: number | null, grown: number | null): Reading {
  return { before: "", now: now === null ? "none inside" : shareWords(now), grown: shareWords(grown) };
}

const plain = (now: string): Reading => ({ before: "", now, grown: "" });

/** One reading without the stress and one under it. */
function change(before: Reading, after: Reading | null): Reading {
  if (!after) return before;
  return { before: before.now, now: after.now, grown: before.grown && `${before.grown} → ${after.grown}` };
}

const arrowed = ({ before, now }: Reading) => (before ? `${before} → ${now}` : now);
const joined = (one: Reading) => arrowed(one) + (one.grown && `, as grown ${one.grown}`);

/** Coverage and precision of one part of the rows; a moved rule has no interval, for its edges follow these rows. */
function shareReadings(
  grown: RuleShareMessage,
  moved: Counted | null,
  withInterval = true,
): readonly [Reading, Reading] {
  if (moved) {
    return [reading(moved.coverage, grown.coverage), reading(defined(moved.precision), grown.precision)];
  }
  const precise = shareWords(grown.precision) + (withInterval ? bracketWords(grown) : "");
  return [plain(shareWords(grown.coverage)), plain(precise)];
}

type Kind = "heldOut" | "training";

/** Coverage and precision of held-out rows or the forest's, before and under the stress. */
function readingsOf({ rule, counts, after }: Shown, kind: Kind): readonly [Reading, Reading] {
  const ofRule = (one: { held_out: RuleShareMessage | null; training: RuleShareMessage }) =>
    (kind === "heldOut" ? one.held_out : null) ?? one.training;
  const ofCounts = (one: BoxCounts | null) =>
    one && ((kind === "heldOut" ? one.heldOut : null) ?? one.training);
  const before = shareReadings(ofRule(rule), ofCounts(counts), after === null);
  if (!after) return before;
  const now = shareReadings(ofRule(after.rule), ofCounts(after.counts));
  return [change(before[0], now[0]), change(before[1], now[1])];
}

/** The least probability inside; the row itself is always inside. */
function leastInside({ rule, counts }: Shown): number {
  return counts ? Math.min(counts.sdpMin, rule.sdp) : rule.sdp_min;
}

/** Of moved edges the least is not counted under a stress: the page has the probabilities without it alone. */
function leastReading(shown: Shown): Reading {
  const { rule, counts, after } = shown;
  if (counts) return reading(leastInside(shown), rule.sdp_min);
  return change(plain(shareWords(rule.sdp_min)), after && plain(shareWords(after.rule.sdp_min)));
}

export function numbersWords({ shown }: View): string {
  if (!shown) return "";
  const [coverage, precision] = readingsOf(shown, "heldOut");
  return `Least probability inside ${arrowed(leastReading(shown))}, coverage ${joined(coverage)}, precision ${joined(precision)}.`;
}

export function createNumbers(_: Context): Part {
  const line = (testid: string) => {
    const [term, was, value] = [html("dt"), html("span", { class: "ts-was" }), html("span")];
    const gap = document.createTextNode("");
    const asGrown = html("small", { class: "ts-quiet" });
    const say = ({ before, now, grown }: Reading) => {
      setText(was, before && `${before} →`);
      gap.data = before && " "; // outside the spans, which do not wrap
      setText(value, now);
      setText(asGrown, grown && ` as grown ${grown}`);
    };
    return {
      term,
      say,
      element: html("div", {}, term, html("dd", { "data-testid": testid }, was, gap, value, asGrown)),
    };
  };
  const [sdp, least] = [line("sdp"), line("least")];
  const [coverage, precision] = [line("coverage"), line("precision")];
  const fitted = line("fitted");
  const below = html("p", { class: "ts-notice", "data-testid": "below" });
  const counted = html("p", { class: "ts-quiet", "data-testid": "counted" });
  const proof = html("p", { class: "ts-proof", "data-testid": "proof" });
  const lines = [sdp, least, coverage, precision, fitted];
  const element = html(
    "section",
    { class: "ts-figures", "aria-label": "Numbers" },
    html("h3", {}, "How sure it is"),
    html("dl", {}, ...lines),
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
    update({ shown, answer, stale, stress }) {
      element.hidden = shown === null;
      element.classList.toggle("ts-is-stale", stale || stress.late);
      if (!shown) return;
      const { rule, counts, after } = shown;
      const main = rule.held_out ?? rule.training;
      const now = counts ? (counts.heldOut ?? counts.training) : null;
      const [covered, precise] = readingsOf(shown, "heldOut");
      const kind = rule.held_out ? "held-out rows" : "rows the forest was fitted on";
      const lowest = leastInside(shown);
      sdp.say(change(plain(shareWords(rule.sdp)), after && plain(shareWords(after.rule.sdp))));
      least.say(leastReading(shown));
      setText(coverage.term, `coverage of ${count(now?.nRows ?? main.n_rows)} ${kind}`);
      coverage.say(covered);
      precision.say(precise);
      fitted.element.hidden = rule.held_out === null;
      const [some, right] = readingsOf(shown, "training");
      fitted.say({
        before: "",
        now: `${arrowed(some)}; ${arrowed(right)}`.replaceAll(" %", "\u00a0%"),
        grown: some.grown && `${some.grown}; ${right.grown}`,
      });
      // the page holds float32: π itself may be rounded up
      const under = lowest < answer.pi - 1e-6;
      setText(below, `Rows inside fall below π = ${answer.pi}: this is no sufficient rule any more.`);
      below.hidden = !under;
      const drawn = answer.sampled && ` ${answer.sampled}`;
      const leastIs = after
        ? " The least is without the stress: the kernel counts it of the rule as grown alone."
        : "";
      const moved = `Counted with the edges moved by hand; no interval, for they follow the same rows.${leastIs}`;
      showText(counted, counts ? moved + drawn : main.n_inside === 0 ? rule.sentence : "");
      setText(proof, (counts ? OF_GROWN : "") + rule.proof);
      proof.classList.toggle("ts-is-proved", counts === null && rule.proved === "proved");
      proof.classList.toggle("ts-quiet", counts !== null || rule.proved !== "proved");
    },
  };
}
