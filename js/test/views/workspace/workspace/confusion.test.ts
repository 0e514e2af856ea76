// @vitest-environment jsdom

import { describe, expect, test, vi } from "vitest";
import { createConfusion } from "../../../../src/views/workspace/workspace/brushing";
import {
  placesHere,
  placesInKernel,
  rowsByPlace,
} from "../../../../src/views/workspace/workspace/confusion_places";
import type { ConfusionMessage } from "../../../../src/wire/messages";
import type { Outcomes } from "../../../../src/wire/stress/joint";

const CLASSES = ["a", "b", "<b>c</b>"];
/** Of three classes, cells as the kernel numbers them: predicted first, then right or wrong. */
const RIGHT_OR_WRONG: ConfusionMessage = {
  rows_are: "right",
  rows: ["right", "wrong"],
  columns: CLASSES,
  place: [0, 3, 1, 4, 2, 5],
  in_kernel: null,
};
const outcomes = {
  metrics: [],
  nCells: 6,
  cell: Int32Array.of(0, 1, 3, 4, 4),
  powers: [],
} satisfies Outcomes;

test("rows go to the place of their cell, in order", () => {
  expect(rowsByPlace(RIGHT_OR_WRONG, outcomes)).toEqual([[0], [], [3, 4], [1], [2], []]);
});

test("a cell selects its rows; one without rows cannot be pressed", () => {
  const select = vi.fn();
  const { element } = createConfusion(
    RIGHT_OR_WRONG,
    placesHere(RIGHT_OR_WRONG, outcomes, select),
    new AbortController().signal,
  );
  const cell = (place: number) =>
    element.querySelector(`[data-testid="confusion-${place}"]`) as HTMLButtonElement;
  cell(2).click();
  expect(select).toHaveBeenCalledExactlyOnceWith([3, 4]);
  expect(cell(2).title).toBe("Select these 2 rows: predicted <b>c</b>, right");
  expect([cell(1).disabled, cell(2).disabled]).toEqual([true, false]);
  expect(element.querySelector("th b")).toBeNull();
  expect(
    [...element.querySelectorAll(".ts-is-wrong button")].map((one) => one.getAttribute("data-testid")),
  ).toEqual(["confusion-3", "confusion-4", "confusion-5"]);
});

describe("where the kernel has the rows", () => {
  const estimate = (value: number) => ({ value, lower: value, upper: value, reason: 0, amount: 0 });
  const inKernel = { n_rows: [1, 0, 2, 1, 1, 0], unstressed: [0.2, 0, 0.4, 0.2, 0.2, 0].map(estimate) };
  const open = (ask: (place: number) => Promise<unknown>, gone = false) => {
    const places = placesInKernel(inKernel, ask, gone);
    const { element } = createConfusion(RIGHT_OR_WRONG, places, new AbortController().signal);
    const cell = (place: number) =>
      element.querySelector(`[data-testid="confusion-${place}"]`) as HTMLButtonElement;
    return { element, cell };
  };

  test("a cell asks for its rows, and says why there are none", async () => {
    const ask = vi.fn(() => Promise.reject(new Error("No such place.")));
    const { element, cell } = open(ask);
    expect([cell(1).disabled, cell(2).disabled]).toEqual([true, false]);
    cell(2).click();
    expect(ask).toHaveBeenCalledExactlyOnceWith(2);
    await Promise.resolve();
    await Promise.resolve();
    expect(element.querySelector("p")?.textContent).toBe("No such place.");
  });

  test("without it no cell can be pressed", () => {
    const { element, cell } = open(() => Promise.resolve(), true);
    expect(cell(2).disabled).toBe(true);
    expect(element.querySelector("p")?.textContent).toContain("has ended");
  });
});
