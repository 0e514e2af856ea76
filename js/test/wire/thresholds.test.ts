/** The thresholds that stand in both languages, on one golden file. */

import { expect, test } from "vitest";
import { HANDFUL, SMALLEST, STANDS_OUT, TIED } from "../../src/solve/stress/concentration";
import { EDGE, FEWEST, FLAT } from "../../src/solve/stress/metrics";
import { THIN } from "../../src/solve/stress/projection";
import { DEPENDENT } from "../../src/solve/stress/terms";
import { EPSILON } from "../../src/views/effects/effect/state";
import { MAX_PARETO_K, MIN_DF, MIN_DF_WIDE } from "../../src/views/shared/reliability";
import { readGolden } from "../support/golden";

test("are Python's", () => {
  const reliability = { MIN_DF, MIN_DF_WIDE, MAX_PARETO_K };
  const pareto = { HANDFUL, STANDS_OUT, TIED, SMALLEST };
  const solver = { FEWEST, EDGE, FLAT, DEPENDENT, THIN };
  expect({ ...reliability, ...pareto, ...solver, EPSILON }).toEqual(readGolden("thresholds.json"));
});
