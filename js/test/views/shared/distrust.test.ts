import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LEVELS } from "../../../src/wire/reasons";

const OTHER_WORDS = /trustworthy|not to be trusted|untrusted|dubious/i;

const files = readdirSync("src", { recursive: true, encoding: "utf8" });

/** Source files, but those named, in which an expression is found. */
function offenders(ending: string, found: RegExp, ...allowed: readonly string[]): string[] {
  return files
    .filter((name) => name.endsWith(ending) && !allowed.includes(name))
    .filter((name) => found.test(readFileSync(`src/${name}`, "utf8")));
}

test("amber is of distrust alone: one rule has it, one function sets it", () => {
  expect(readFileSync("src/theme/base.css", "utf8").match(/--ts-warning/g)).toHaveLength(1);
  expect(readFileSync("src/views/shared/reliability.ts", "utf8").match(/ts-doubtful/g)).toHaveLength(1);
  expect(offenders(".css", /--ts-warning|ts-doubtful/, "theme/base.css")).toEqual([]);
  expect(offenders(".ts", /ts-warning|ts-doubtful/, "views/shared/reliability.ts")).toEqual([]);
});

test("distrust has one set of words on every screen", () => {
  expect(LEVELS).toEqual(["reliable", "wide", "unreliable"]);
  expect(files.length).toBeGreaterThan(100);
  expect(offenders(".ts", OTHER_WORDS)).toEqual([]);
});
