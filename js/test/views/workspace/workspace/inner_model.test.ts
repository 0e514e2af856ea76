import { expect, test, vi } from "vitest";
import { innerModel } from "../../../../src/views/workspace/workspace/inner_model";
import { fakeModel } from "../../../support/fake_model";

test("own traits have a prefix, shared ones their own name", () => {
  const { model, state } = fakeModel({ stress: "s", effect__kind: "pd", kind: "other" });
  const inner = innerModel(model as never, "effect", { stress: "stress" });
  expect(inner.get("kind")).toBe("pd");
  expect(inner.get("stress")).toBe("s");
  inner.set("kind", "ale");
  inner.set("stress", "t");
  expect(state).toEqual({ stress: "t", effect__kind: "ale", kind: "other" });
});

test("a shared trait may have another name around", () => {
  const { model } = fakeModel({ second_metric: "error_rate", curves__metric: "portion_1" });
  expect(innerModel(model as never, "curves", { metric: "second_metric" }).get("metric")).toBe("error_rate");
});

test("changes are heard under the view's names, until it leaves", () => {
  const { model, receive } = fakeModel({ stress: 0, effect__kind: "pd" });
  const inner = innerModel(model as never, "effect", { stress: "stress" });
  const heard = vi.fn();
  inner.on("change:kind", heard);
  inner.on("change:stress", heard);
  receive("effect__kind", "ale");
  receive("stress", 1);
  expect(heard).toHaveBeenCalledTimes(2);
  inner.off("change:kind", heard);
  receive("effect__kind", "cd");
  expect(heard).toHaveBeenCalledTimes(2);
});
