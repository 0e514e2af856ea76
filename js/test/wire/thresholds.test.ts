/** The thresholds that stand in both languages, on one golden file. */

import { expect, test } from "vitest";
import { GROWN, MIN_CARRIERS, MIN_CARRIERS_WIDE } from "../../src/solve/stress/carriers";
import {
  HANDFUL,
  LEAST_TV,
  SMALLEST,
  STANDS_OUT,
  TIED,
  TV_ROUNDING,
} from "../../src/solve/stress/concentration";
import { STEEPEST } from "../../src/solve/stress/estimates";
import {
  EDGE,
  FEWEST,
  LEAST_SHARE,
  LEAST_SIZE,
  ROWS_PER_DF,
  SCALED_DF,
} from "../../src/solve/stress/intervals";
import { THIN } from "../../src/solve/stress/projection";
import { FLAT } from "../../src/solve/stress/regression";
import * as reliability from "../../src/solve/stress/reliability";
import { DEPENDENT } from "../../src/solve/stress/terms";
import { MIN_SIZE } from "../../src/solve/student_t";
import { EPSILON } from "../../src/views/effects/effect/state";
import { readGolden } from "../support/golden";

test("are Python's", () => {
  const { judge: _, ...rule } = reliability;
  const weights = { HANDFUL, STANDS_OUT, TIED, SMALLEST, LEAST_TV, TV_ROUNDING };
  const carriers = { GROWN, MIN_CARRIERS, MIN_CARRIERS_WIDE };
  const intervals = { STEEPEST, FEWEST, EDGE, ROWS_PER_DF, SCALED_DF, LEAST_SHARE, LEAST_SIZE, MIN_SIZE };
  const solver = { FLAT, DEPENDENT, THIN };
  expect({ ...rule, ...weights, ...carriers, ...intervals, ...solver, EPSILON }).toEqual(
    readGolden("thresholds.json"),
  );
});
