// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import { createPaintClock } from "../../../src/views/shared/view";

const frame = () => new Promise((done) => requestAnimationFrame(done));
const message = () => new Promise((done) => setTimeout(done, 5));

afterEach(() => vi.unstubAllGlobals());

function clock() {
  const root = document.createElement("div");
  const life = new AbortController();
  return { root, life, clock: createPaintClock(root, life.signal) };
}

test("a frame is counted after it was painted, once for all its changes, from the first event on", async () => {
  const { root, clock: one } = clock();
  const event = new Event("keydown");
  one.changed(event);
  one.changed(new Event("keydown"));
  expect(root.dataset.rev).toBeUndefined();
  await frame();
  await message();
  expect(root.dataset.rev).toBe("1");
  expect(root.dataset.ready).toBe("1");
  expect(Number(root.dataset.latency)).toBeGreaterThan(0);
  one.changed(null);
  await frame();
  await message();
  expect(root.dataset.rev).toBe("2");
});

test("a browser that knows urgency is asked for it", async () => {
  const asked: { task: () => void; priority: string }[] = [];
  const postTask = (task: () => void, { priority }: { priority: string }) => {
    asked.push({ task, priority });
    return Promise.resolve();
  };
  vi.stubGlobal("scheduler", { postTask });
  const { root, life, clock: one } = clock();
  one.changed(null);
  await frame();
  expect(asked.map(({ priority }) => priority)).toEqual(["user-blocking"]);
  asked[0]?.task();
  expect(root.dataset.rev).toBe("1");
  one.changed(null);
  await frame();
  life.abort();
  asked[1]?.task();
  expect(root.dataset.rev).toBe("1");
});

test("nothing is counted after the end", async () => {
  const { root, life, clock: one } = clock();
  one.changed(null);
  await frame();
  life.abort();
  await message();
  expect(root.dataset.rev).toBeUndefined();
});

test("an event's changes are laid out once, before the frame, and others are left to it", async () => {
  const { root, clock: one } = clock();
  const laidOut = vi.spyOn(root, "getBoundingClientRect");
  one.changed(new Event("keydown"));
  one.changed(new Event("keydown"));
  expect(laidOut).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(laidOut).toHaveBeenCalledTimes(1);
  await frame();
  await message();
  one.changed(null);
  await frame();
  expect(laidOut).toHaveBeenCalledTimes(1);
});
