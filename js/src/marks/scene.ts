/** What a chart of many lines over τ shows, in pixels, before anything touches the page. */

// Decided in docs/decisions/0025-live-pictures-are-svg-with-the-hosts-colours.md.

import type { Trace } from "./segments";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A point in pixels, at the edge where it lies beyond: −1 to the left or above, 1 to the right or below, 0 within. */
export interface Placed extends Point {
  readonly beyond: Point;
}

/** The plotting area inside a chart of `width` × `height`, pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** One feature's line; position t of `x`, `y` and `levels` belongs to position t of the τ grid. */
export interface Series {
  readonly name: string;
  /** What stands at its end, where that is not the name. */
  readonly label?: string;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly lower?: ArrayLike<number>;
  readonly upper?: ArrayLike<number>;
  /** The same of another model, drawn where the line is chosen. */
  readonly beside?: ArrayLike<number>;
  /** 0 reliable, 1 wide, 2 unreliable. */
  readonly levels: ArrayLike<number>;
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface Guide {
  readonly kind: "baseline" | "zero" | "diagonal";
  readonly from: Point;
  readonly to: Point;
}

export interface Label extends Point {
  readonly feature: number;
  readonly text: string;
  readonly anchor: "start" | "end";
  /** Where the line ends, when the label had to move away from it. */
  readonly leader?: Point;
}

/** What belongs to the chosen feature. */
export interface Front {
  readonly line: Trace;
  readonly band?: Trace;
  /** Another model's line, as path data. */
  readonly beside?: string;
  readonly labels: readonly Label[];
  /** Where the unstressed population stands, when the guides do not show it. */
  readonly origin?: Point;
  /** Words beside points of the chosen line. */
  readonly remarks: readonly (Point & {
    readonly text: string;
    readonly anchor: "start" | "middle" | "end";
  })[];
}

/** Everything that stays while the chosen feature and τ move. */
export interface Scene {
  readonly frame: Frame;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly xTitle: string;
  readonly yTitle: string;
  readonly guides: readonly Guide[];
  /** The features that have a line of their own. */
  readonly drawn: readonly number[];
  /** Their lines, to be drawn grey; few traces, each of many lines. */
  readonly context: readonly Trace[];
  /** The area between the lowest and the highest of the others, but for what is unreliable; "" for none. */
  readonly envelope: string;
  readonly names: readonly string[];
  /** Whether a vertical line follows τ. */
  readonly cursor: boolean;
  readonly point: (feature: number, t: number) => Point;
  /** Any values of the two axes in pixels, at the edge where they lie beyond. */
  readonly place: (x: number, y: number) => Placed;
  readonly line: (feature: number) => Trace;
  readonly front: (feature: number) => Front;
  /** The line nearest to a pixel, if any is within reach. */
  readonly pick: (at: Point) => number | null;
  /** Position in the τ grid that a pixel stands for. */
  readonly tauAt: (feature: number, at: Point) => number;
}
