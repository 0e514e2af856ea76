import { expect, test, vi } from "vitest";
import { GONE, isLive, watchKernel, withoutKernel } from "../../../src/views/shared/view";
import { fakeModel } from "../../support/fake_model";

function host(status: string) {
  const slots = new Set<() => void>();
  const about = {
    connect: (slot: () => void) => slots.add(slot),
    disconnect: (slot: () => void) => slots.delete(slot),
  };
  const kernel = {
    status,
    connectionStatus: "connected",
    isDisposed: false,
    statusChanged: about,
    connectionStatusChanged: about,
    disposed: about,
  };
  const manager: { kernel: typeof kernel | null } = { kernel };
  const tell = () => {
    for (const slot of [...slots]) slot();
  };
  return { model: { widget_manager: manager }, manager, kernel, slots, tell };
}

test.each(["dead", "restarting", "autorestarting", "terminating"])(
  "a kernel that is %s is gone for good",
  (status) => {
    const { model, kernel, tell, slots } = host("busy");
    const life = new AbortController();
    const ended = vi.fn();
    const watch = watchKernel(model, life.signal, ended);
    tell();
    expect([watch.gone(), ended.mock.calls.length]).toEqual([false, 0]);
    kernel.status = status;
    tell();
    kernel.status = "idle";
    tell();
    expect([watch.gone(), ended.mock.calls.length]).toEqual([true, 1]);
    life.abort();
    expect(slots.size).toBe(0);
  },
);

test("one out of reach is gone until it is reached again", () => {
  const { model, kernel, tell } = host("idle");
  const changed = vi.fn();
  const watch = watchKernel(model, new AbortController().signal, changed);
  for (const [status, gone] of [
    ["connecting", false],
    ["disconnected", true],
    ["connected", false],
  ] as const) {
    kernel.connectionStatus = status;
    tell();
    expect([status, watch.gone()]).toEqual([status, gone]);
  }
  expect(changed).toHaveBeenCalledTimes(2);
});

test("one that was shut down is gone, and a host that shows none is trusted", () => {
  const { model, manager, tell } = host("idle");
  const { signal } = new AbortController();
  const watch = watchKernel(model, signal, () => {});
  manager.kernel = null;
  tell();
  expect(watch.gone()).toBe(true);
  expect(watchKernel({}, signal, () => {}).gone()).toBe(false);
});

test("a model without its kernel differs in what it can be asked alone", () => {
  const { model } = fakeModel({ message: { live: true, n: 3 }, tau: 0.5 });
  const quiet = withoutKernel(model as never) as unknown as { get(name: string): unknown };
  expect(quiet.get("message")).toEqual({ live: false, n: 3, offline: GONE });
  expect(quiet.get("tau")).toBe(0.5);
  expect([isLive({ live: true }), isLive({}), isLive(null)]).toEqual([true, false, false]);
});
