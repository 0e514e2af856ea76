// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { bindTraits } from "../../../src/views/shared/traits";
import { fakeModel } from "../../support/fake_model";

const frame = () => new Promise((done) => requestAnimationFrame(done));

test("many settings, one save in the next frame, and none again before a rest", async () => {
  const { model, saves, state } = fakeModel({ tau: 0, feature: "age" });
  const traits = bindTraits(model, new AbortController().signal);
  traits.set("tau", 0.25);
  traits.set("tau", 0.5);
  traits.set("feature", "hours");
  expect(state).toEqual({ tau: 0.5, feature: "hours" });
  expect(saves).not.toHaveBeenCalled();
  await frame();
  expect(saves).toHaveBeenCalledTimes(1);
  traits.set("tau", 0.5);
  await frame();
  expect(saves).toHaveBeenCalledTimes(1);
  traits.set("tau", 0.75);
  traits.set("tau", 1);
  await frame();
  expect(saves).toHaveBeenCalledTimes(1);
  await new Promise((done) => setTimeout(done, 120));
  expect(saves).toHaveBeenCalledTimes(2);
});

test("what was set before the end is still sent", () => {
  const { model, saves } = fakeModel({ tau: 0 });
  const life = new AbortController();
  bindTraits(model, life.signal).set("tau", 1);
  life.abort();
  expect(saves).toHaveBeenCalledTimes(1);
});

test("changes are heard until the signal aborts", () => {
  const { model, receive, listening } = fakeModel({ tau: 0 });
  const life = new AbortController();
  const heard = vi.fn();
  bindTraits(model, life.signal).onChange(["tau", "metric"], heard);
  receive("tau", 0.5);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(listening()).toBe(2);
  life.abort();
  receive("tau", 1);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(listening()).toBe(0);
});
