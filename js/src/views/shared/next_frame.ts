/** What lies further off is drawn one frame late: a key press waits for the population and the chosen number alone. */

/** A part of a panel, told how things stand now and how they stood when it was told last; null the first time. */
interface Part<S, Rest extends unknown[]> {
  readonly element: HTMLElement;
  update(...now: [state: S, ...rest: Rest, before: S | null]): void;
}

/** The same part, drawn a frame after the next and always as of the latest state; at once the first time. */
export function inNextFrame<S, Rest extends unknown[]>(
  part: Part<S, Rest>,
  signal: AbortSignal,
): Part<S, Rest> {
  let latest: [S, ...Rest] | null = null;
  let drawn: S | null = null;
  let frame = 0;
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
  const draw = () => {
    frame = 0;
    if (!latest) return;
    part.update(...latest, drawn);
    [drawn] = latest;
  };
  return {
    element: part.element,
    update(...told) {
      const before = told.at(-1);
      latest = told.slice(0, -1) as [S, ...Rest];
      if (before === null) draw();
      else if (frame === 0) {
        frame = requestAnimationFrame(() => {
          frame = requestAnimationFrame(draw);
        });
      }
    },
  };
}
