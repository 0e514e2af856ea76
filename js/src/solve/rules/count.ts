/** Which rows lie in a box of cells, and what is so of them: the counts of Python's `count_rule`. */

/** The cell of a missing value. */
export const MISSING = 255;

/** Rows of the forest, then the others. */
export interface RuleRows {
  /** How many the forest was fitted on: the first. */
  readonly nTraining: number;
  /** Of each axis the cell of each row. */
  readonly cells: readonly Uint8Array[];
  /** Same-decision probability at each row of the forest. */
  readonly sdp: Float32Array;
  /** 1 where a row is decided as the one explained. */
  readonly agrees: Uint8Array;
  /** Null where all rows count alike. */
  readonly weights: Float32Array | null;
}

/** What a box asks of an axis: of each cell whether it is inside, and whether a missing value is. */
export interface Side {
  readonly inside: readonly boolean[];
  readonly missing: boolean;
}

export interface Counted {
  /** Of positive weight. */
  readonly nRows: number;
  readonly nInside: number;
  readonly coverage: number;
  /** NaN where no row is inside. */
  readonly precision: number;
}

export interface BoxCounts {
  /** Least same-decision probability at a row of the forest inside; 1 where there is none. */
  readonly sdpMin: number;
  readonly training: Counted;
  /** Null where no row is held out. */
  readonly heldOut: Counted | null;
}

/** 1 for each row inside. */
export function rowsInside({ cells, agrees }: RuleRows, sides: readonly Side[]): Uint8Array {
  const inside = new Uint8Array(agrees.length).fill(1);
  sides.forEach((side, axis) => {
    const allowed = new Uint8Array(MISSING + 1);
    side.inside.forEach((is, cell) => {
      allowed[cell] = is ? 1 : 0;
    });
    allowed[MISSING] = side.missing ? 1 : 0;
    const own = cells[axis] as Uint8Array;
    for (let i = 0; i < inside.length; i++) {
      inside[i] = (inside[i] as number) & (allowed[own[i] as number] as number);
    }
  });
  return inside;
}

function count({ agrees, weights }: RuleRows, inside: Uint8Array, from: number, upto: number): Counted {
  let [nRows, nInside, all, within, agreeing] = [0, 0, 0, 0, 0];
  for (let i = from; i < upto; i++) {
    const weight = weights ? (weights[i] as number) : 1;
    if (weight <= 0) continue;
    nRows += 1;
    all += weight;
    if (!inside[i]) continue;
    nInside += 1;
    within += weight;
    if (agrees[i]) agreeing += weight;
  }
  return { nRows, nInside, coverage: within / all, precision: nInside > 0 ? agreeing / within : Number.NaN };
}

export function countBox(rows: RuleRows, sides: readonly Side[]): BoxCounts {
  const { nTraining, agrees, sdp, weights } = rows;
  const inside = rowsInside(rows, sides);
  let sdpMin = 1;
  for (let i = 0; i < nTraining; i++) {
    if (inside[i] && (!weights || (weights[i] as number) > 0)) sdpMin = Math.min(sdpMin, sdp[i] as number);
  }
  const held = agrees.length > nTraining;
  return {
    sdpMin,
    training: count(rows, inside, 0, nTraining),
    heldOut: held ? count(rows, inside, nTraining, agrees.length) : null,
  };
}
