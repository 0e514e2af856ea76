/** A widget model without a kernel, that counts what is asked of it. */

import type { AnyModel } from "@anywidget/types";
import { vi } from "vitest";
import type { StressCurvesTraits } from "../../src/wire/stress/curves";

type Callback = (...given: unknown[]) => void;

export function fakeModel(state: Record<string, unknown>) {
  const listeners = new Map<string, Set<Callback>>();
  const heard = (event: string) => {
    const known = listeners.get(event) ?? new Set<Callback>();
    listeners.set(event, known);
    return known;
  };
  const model = {
    get: (key: string) => state[key],
    set: vi.fn((key: string, value: unknown) => {
      if (state[key] === value) return;
      state[key] = value;
      for (const call of [...heard(`change:${key}`)]) call();
    }),
    on: vi.fn((event: string, call: Callback) => {
      heard(event).add(call);
    }),
    off: vi.fn((event: string, call: Callback) => {
      heard(event).delete(call);
    }),
    save_changes: vi.fn(),
    send: vi.fn(),
  };
  return {
    state,
    saves: model.save_changes,
    sent: model.send,
    /** A message of the kernel's own, with its buffers. */
    tell: (content: unknown, buffers: readonly DataView[] = []) => {
      for (const call of [...heard("msg:custom")]) call(content, buffers);
    },
    /** Set as the kernel would: without the view asking. */
    receive: (key: string, value: unknown) => model.set(key, value),
    listening: () => [...listeners.values()].reduce((sum, calls) => sum + calls.size, 0),
    model: model as unknown as AnyModel<StressCurvesTraits>,
  };
}
