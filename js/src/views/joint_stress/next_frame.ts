/** What lies further off is drawn one frame late: a key press waits for the population and the chosen index alone. */

import type { Answer } from "./answers";
import type { Part } from "./context";
import type { State } from "./state";

/** The same part, drawn one frame late and always as of the latest answer; at once the first time. */
export function inNextFrame(part: Part, signal: AbortSignal): Part {
  let latest: { readonly state: State; readonly answer: Answer } | null = null;
  let drawn: State | null = null;
  let frame = 0;
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
  const draw = () => {
    frame = 0;
    if (!latest) return;
    part.update(latest.state, latest.answer, drawn);
    drawn = latest.state;
  };
  return {
    element: part.element,
    update(state, answer, before) {
      latest = { state, answer };
      if (!before) draw();
      else if (frame === 0) {
        frame = requestAnimationFrame(() => {
          frame = requestAnimationFrame(draw);
        });
      }
    },
  };
}
