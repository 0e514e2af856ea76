/** Packages of Vega that bring no types: what of them is used. */

declare module "vega-dataflow" {
  export const transforms: Record<string, unknown>;
}
declare module "vega-encode";
declare module "vega-transforms";
declare module "vega-view-transforms";
declare module "vega-parser" {
  export function parse(specification: unknown, config?: object, options?: { ast: boolean }): object;
}
declare module "vega-view" {
  import type { expressionInterpreter } from "vega-interpreter";
  import type { Handler } from "vega-tooltip";

  export class View {
    constructor(runtime: object, options: { expr: typeof expressionInterpreter; renderer: "svg" });
    tooltip(handler: Handler["call"]): this;
    initialize(place: Element): this;
    hover(): this;
    runAsync(): Promise<this>;
  }
}
