/** Stresses on one set of columns, each solved once for all who ask for it, from the one before. */

import type { Columns } from "../../wire/columns";
import { type Stress, sameStress } from "../../wire/shared_stress";
import { type Solved, solveStress } from "./solver";

export type Solve = (stress: Stress) => Solved;

/** The answers to a stress on some columns; only the last is kept. */
export function createSolve(columns: Columns): Solve {
  let last: Solved | undefined;
  let warm: Solved | undefined;
  return (stress) => {
    if (last && sameStress(last.stress, stress)) return last;
    last = solveStress(columns, stress, warm);
    if (last.terms) warm = last;
    return last;
  };
}

function sameValues(a: Float32Array | Float64Array, b: Float32Array | Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

/** Whether two sets of columns are the same rows, told in the same way. */
function sameColumns(a: Columns, b: Columns): boolean {
  if (a === b) return true;
  if (JSON.stringify(a.message) !== JSON.stringify(b.message) || (a.base === null) !== (b.base === null))
    return false;
  if (a.base && b.base && !sameValues(a.base, b.base)) return false;
  return a.message.features.every((_, feature) => sameValues(a.column(feature), b.column(feature)));
}

/** For views beside each other: those that bring the same columns share their answers. */
export function shareSolve(): (columns: Columns) => Solve {
  const known: { readonly columns: Columns; readonly solve: Solve }[] = [];
  return (columns) => {
    const same = known.find((one) => sameColumns(one.columns, columns));
    if (same) return same.solve;
    const solve = createSolve(columns);
    known.push({ columns, solve });
    return solve;
  };
}
