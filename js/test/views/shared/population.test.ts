// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { createPopulationHeader } from "../../../src/views/shared/population";
import { moveWords } from "../../../src/views/shared/population_words";
import { NO_CAVEAT } from "../../../src/views/shared/reliability";

const MOVED = { ess: 5600, tv: 0.05, kl: 0.003, pareto_k: 0.1 };
const AS_TESTED = { ess: 6400, tv: 0, kl: 0, pareto_k: Number.NaN };
const AGE = "age 45.0 on average (was 38.6)";

function open() {
  const reset = vi.fn();
  const header = createPopulationHeader(6400, new AbortController().signal, reset);
  const at = (testid: string) => header.element.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
  const say = (distances = MOVED, atRest = "") => {
    header.say({ strong: AGE, rest: "" });
    header.measure(distances, atRest);
  };
  return { header, reset, say, text: (testid: string) => at(testid)?.textContent, at };
}

test("trust is one word with the effective sample, said once", () => {
  const { header, say, text } = open();
  say();
  expect(text("population-trust")).toBe("● reliable: 5,600 effective rows of 6,400");
  expect(header.element.textContent?.match(/effective/g)).toHaveLength(1);
  header.judge({ level: "wide", words: "13 rows carry 25 % of the weight" });
  expect(text("population-trust")).toBe(
    "◐ wide: 13 rows carry 25 % of the weight; 5,600 effective rows of 6,400",
  );
  header.judge({ level: "unreliable", words: "a handful of rows carries the weight" });
  expect(text("population-trust")).toMatch(/^○ unreliable: a handful/);
  header.judge(NO_CAVEAT);
  expect(text("population-trust")).toMatch(/^● reliable: 5,600/);
});

test("statistics stand behind details, which stay open while the stress moves", () => {
  const { header, say, at } = open();
  say();
  const details = at("population-details") as HTMLDetailsElement;
  expect(details.open).toBe(false);
  for (const one of ["tv", "kl", "pareto-k"]) expect(at(one)?.closest("details")).toBe(details);
  details.open = true;
  say({ ...MOVED, tv: 0.25, pareto_k: 0.8 });
  header.judge({ level: "wide", words: "9 rows" });
  expect(details.open && !details.hidden).toBe(true);
  expect([at("tv")?.textContent, at("kl")?.textContent, at("pareto-k")?.textContent]).toEqual([
    "0.250",
    "0.003 nats",
    "0.80",
  ]);
});

test("at rest a hint stands in the place of numbers; rows of unlike weights have theirs", () => {
  const { say, at, text } = open();
  say(AS_TESTED, "Move age.");
  expect(text("at-rest")).toBe("Move age.");
  expect([at("population-trust")?.hidden, at("population-details")?.hidden]).toEqual([true, true]);
  say({ ...AS_TESTED, ess: 4000 }, "Move age.");
  expect(at("at-rest")?.hidden).toBe(true);
  expect(text("population-trust")).toBe("● reliable: 4,000 effective rows of 6,400");
});

test("without weights there is nothing to rely on", () => {
  const { say, at, header } = open();
  say({ ess: Number.NaN, tv: Number.NaN, kl: Number.NaN, pareto_k: Number.NaN });
  expect(at("population-trust")?.hidden).toBe(true);
  expect(header.spoken()).toBe(AGE);
});

test("a name leads the line, as text; without one the title does", () => {
  const { header, say, text } = open();
  say();
  expect(text("population-name")).toBe("Population shown: ");
  header.name("<b>Older</b> workforce");
  expect(text("population-name")).toBe("<b>Older</b> workforce: ");
  header.name("");
  expect(text("population-name")).toBe("Population shown: ");
});

test("read out are the population and how far to rely on it", () => {
  const { header, say } = open();
  say();
  expect(header.spoken()).toBe(`${AGE}; reliable: 5,600 effective rows of 6,400`);
  header.judge({ level: "wide", words: "13 rows carry 25 %" });
  expect(header.spoken()).toBe(`${AGE}; wide: 13 rows carry 25 %; 5,600 effective rows of 6,400`);
});

test("every control keeps its keys from the host, and Reset resets", () => {
  const { header, reset } = open();
  const controls = [...header.element.querySelectorAll<HTMLElement>("button, summary, [tabindex]")];
  expect(controls.length).toBeGreaterThan(4);
  for (const one of controls) expect(one.dataset.lmSuppressShortcuts, one.outerHTML).toBe("true");
  header.reset.click();
  expect(reset).toHaveBeenCalledTimes(1);
});

test("a mean and a share are moved in words", () => {
  expect(moveWords({ kind: "numeric", name: "age" }, "38.6", "45.0")).toBe(AGE);
  expect(moveWords({ kind: "share", name: "sex = Female" }, "33 %", "50 %")).toBe(
    "sex = Female for 50 % of rows (was 33 %)",
  );
});
