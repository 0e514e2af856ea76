// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { followPresence } from "../../../src/marks/presence";
import { inNextFrame, whileHere } from "../../../src/views/shared/part";
import { stubResizeObserver } from "../../support/resize_observer";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function placed() {
  const place = document.createElement("div");
  const told = vi.fn();
  const life = new AbortController();
  const observer = stubResizeObserver();
  const part = whileHere<number>({ element: place, update: told }, followPresence(place, life.signal));
  return { place, told, part, life, ...observer };
}

test("a part is told of everything while its place is shown, with what it was told before", () => {
  const { part, told } = placed();
  part.update(1, null);
  part.update(2, 1);
  expect(told.mock.calls).toEqual([
    [1, null],
    [2, 1],
  ]);
});

test("while its place is hidden a part is told of nothing, and then of the latest after what it knows", () => {
  const { part, told, place, hide, show } = placed();
  part.update(1, null);
  hide(place);
  part.update(2, 1);
  part.update(3, 2);
  expect(told).toHaveBeenCalledTimes(1);
  show(place);
  expect(told).toHaveBeenLastCalledWith(3, 1);
  hide(place);
  show(place);
  expect(told).toHaveBeenCalledTimes(2);
});

test("a part of no height, or of no width, has a place", () => {
  const { part, told, place, resize } = placed();
  for (const [width, height] of [
    [300, 0],
    [0, 20],
  ] as const) {
    resize(place, width, height);
    part.update(width, null);
    expect(told.mock.lastCall?.[0]).toBe(width);
  }
  expect(told).toHaveBeenCalledTimes(2);
});

test("a part that is drawn later is drawn at once when its place is shown again", () => {
  vi.useFakeTimers();
  const { told, place, hide, show, life } = placed();
  const presence = followPresence(place, life.signal);
  const part = inNextFrame(whileHere({ element: place, update: told }, presence), life.signal);
  part.update(1, null);
  hide(place);
  part.update(2, 1);
  vi.advanceTimersByTime(100);
  expect(told).toHaveBeenCalledTimes(1);
  show(place);
  expect(told).toHaveBeenLastCalledWith(2, 1);
});

test("nothing is watched any more once the signal aborts", () => {
  const { watching, life } = placed();
  expect(watching()).toBe(1);
  life.abort();
  expect(watching()).toBe(0);
});
