import { expect, test } from "vitest";
import { shareBelowWords } from "../../../../src/views/effects/effect/words";

test("a share that is claimed to be safe is never rounded up", () => {
  const words = [0.0315, 0.031478, 0.29, 0.09996, 0.000123987, 1].map(shareBelowWords);
  expect(words).toEqual(["3.15 %", "3.14 %", "29 %", "9.99 %", "0.0123 %", "100 %"]);
});
