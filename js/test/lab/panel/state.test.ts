import { expect, test } from "vitest";
import type { Listing } from "../../../src/lab/panel/listing";
import {
  againOf,
  begin,
  closed,
  failed,
  listed,
  lose,
  lossOf,
  opened,
  opening,
  words,
} from "../../../src/lab/panel/state";

const STUDY = { name: "study", key: "1", model: "M", n_rows: 4, n_columns: 2 };
const EMPTY: Listing = { module: "ts", free: "study", studies: [], models: [], frames: [], columns: [] };
const HELD: Listing = { ...EMPTY, studies: [STUDY] };
const shown = opened(opening(listed(begin("a.ipynb"), HELD), STUDY));

test("what is said before there is anything to open", () => {
  expect(words(undefined)).toContain("Open a notebook");
  expect(words(begin("a.ipynb"))).toBe("Waiting for the kernel …");
  expect(words(listed(begin("a.ipynb"), null))).toContain("not imported");
  expect(words(listed(begin("a.ipynb"), "other"))).toContain("does not run Python");
  expect(words(listed(begin("a.ipynb"), EMPTY))).toContain("No study yet");
  expect(words(listed(begin("a.ipynb"), HELD))).toBe("");
});

test("opening is said until it is there", () => {
  expect(words(opening(listed(begin("a"), HELD), STUDY))).toBe("Opening study …");
  expect(words(shown)).toBe("");
  expect(againOf(shown)).toBeUndefined();
  expect(words(failed(shown, "There is no study in this kernel."))).toBe("There is no study in this kernel.");
  expect(words(closed(failed(shown, "no")))).toBe("");
});

test("a study made again is offered, and not opened by itself", () => {
  const made = listed(shown, { ...EMPTY, studies: [{ ...STUDY, key: "2" }] });
  expect(words(made)).toContain("was made again");
  expect(againOf(made)?.key).toBe("2");
  expect(made.shown?.key).toBe("1");
});

test("a kernel that goes takes what it held, and says so until it is opened again", () => {
  const lost = lose(shown, "restarted");
  expect(lost.shown).toBeUndefined();
  expect(words(lost)).toBe(
    "study went with the kernel, which was restarted. Run the cells that make it, then open it again.",
  );
  expect(againOf(lost)).toBeUndefined();
  const back = listed(lost, HELD);
  expect(words(back)).toContain("It is there again.");
  expect(againOf(back)).toEqual(STUDY);
  expect(words(opened(opening(back, STUDY)))).toBe("");
});

test("a dead kernel has to be started; what was lost first is what is said", () => {
  const dead = lose(shown, "stopped");
  expect(words(dead)).toBe(
    "study went with the kernel, which stopped. Start a kernel, run the cells that make it, then open it again.",
  );
  expect(words(lose(dead, "changed"))).toContain("which stopped. Run the cells");
  expect(words(lose(begin("a"), "stopped"))).toContain("has no kernel");
});

test("which statuses of a kernel mean a loss", () => {
  expect(["restarting", "autorestarting", "dead", "terminating"].map(lossOf)).toEqual([
    "restarted",
    "restarted",
    "stopped",
    "stopped",
  ]);
  expect(["idle", "busy", "starting", "unknown"].map(lossOf)).toEqual(Array(4).fill(undefined));
});
