/** Draws the chart of a saved page: what a Vega specification may ask for, but for maps, trees and forces. */

import { transforms } from "vega-dataflow";
import * as encoding from "vega-encode";
import { expressionInterpreter } from "vega-interpreter";
import { parse } from "vega-parser";
import { Handler } from "vega-tooltip";
import * as ofData from "vega-transforms";
import { View } from "vega-view";
import * as ofViews from "vega-view-transforms";

Object.assign(transforms, ofData, ofViews, encoding);

/** Draw a specification of Vega; its expressions are interpreted, for the page forbids to evaluate text. */
export function draw(place: Element, specification: unknown): Promise<unknown> {
  const runtime = parse(specification, undefined, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: "svg" });
  return view.tooltip(new Handler().call).initialize(place).hover().runAsync();
}
