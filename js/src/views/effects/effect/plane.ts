/** What every picture of an effect can do, whatever its feature is. */

import type { QuantityFormat } from "../../../theme/formats";
import type { DerivedView } from "./derive_view";

export interface Drawing {
  readonly shown: DerivedView;
  readonly width: number;
  readonly kind: "share" | "value";
  readonly response: string;
  readonly format: QuantityFormat;
  /** Whether the paper's bound is drawn. */
  readonly paper: boolean;
}

export interface Plane {
  readonly element: SVGElement;
  height(): number;
  draw(drawing: Drawing): void;
  /** Mark the point that is read off. */
  mark(shown: DerivedView, point: number | null): void;
  /** The point under a pixel. */
  placeAt(px: number, py: number): number;
  /** The points in the order that arrow keys go through them. */
  order(): readonly number[];
}
