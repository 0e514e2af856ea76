// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import widget from "../../../../src/views/stress/joint/index";
import { type JointOptions, jointExample } from "../../../support/joint_example";
import { mountView } from "../../../support/view";

const HOSTILE = "<img src=x onerror=alert(1)>";

type Example = ReturnType<typeof jointExample>;

function open(options: JointOptions = {}, change: (example: Example) => object = () => ({})) {
  const example = jointExample(options);
  const view = mountView(widget, { ...example, ...change(example) });
  const picker = view.at<HTMLSelectElement>("by");
  const nextFrame = () => {
    vi.advanceTimersToNextFrame();
    vi.advanceTimersToNextFrame();
  };
  const by = (place: number) => {
    picker.selectedIndex = place;
    picker.dispatchEvent(new Event("change"));
    nextFrame();
  };
  const rows = () =>
    [...view.el.querySelectorAll('[data-testid="groups"] tbody tr')].map((row) =>
      [...row.children].map((cell) => [...cell.children].map((part) => part.textContent)),
    );
  const heads = () =>
    [...view.el.querySelectorAll('[data-testid="groups"] thead th')].map((one) => one.textContent);
  const section = view.find(".ts-by-group");
  return { ...view, picker, by, rows, heads, section, nextFrame };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const STRESS = { taus: { age: 0.4 }, hold: "none" };

test("nothing is shown until a column is chosen, and nothing when all rows are again", () => {
  const { picker, by, rows, heads, section, saves } = open({ levels: true });
  expect([...picker.options].map((one) => one.textContent)).toEqual(["all rows", "sex", "job", "land"]);
  const shown = section.lastElementChild as HTMLElement;
  expect(shown.hidden).toBe(true);
  expect(rows()).toEqual([]);
  by(2);
  expect(shown.hidden).toBe(false);
  expect(shown.textContent).toContain("The population moves as a whole; shares of the groups follow.");
  expect(heads()).toEqual(["group", "Share predicted 1", "Error rate"]);
  expect(rows().map(([group]) => group)).toEqual([
    ["Clerk", "50.0 % → 50.0 % of rows", "200 of 200 effective"],
    ["Cook", "30.0 % → 30.0 % of rows", "120 of 120 effective"],
    ["Nurse", "20.0 % → 20.0 % of rows", "80 of 80 effective"],
  ]);
  by(1);
  expect(rows().map(([group]) => group?.[0])).toEqual(["Female", "not Female"]);
  by(0);
  expect(shown.hidden).toBe(true);
  vi.advanceTimersByTime(200);
  expect(saves).not.toHaveBeenCalled();
});

test("each line has every metric as tested and under the stress, with interval and trust", () => {
  const { by, rows, receive, nextFrame } = open({ levels: true });
  by(3);
  const tested = rows().map((cells) => cells[1]?.[0]);
  receive("stress", STRESS);
  nextFrame();
  const lines = rows();
  expect(lines.map(([group]) => group?.[0])).toEqual(["US", "Peru", "Laos"]);
  expect(lines[0]?.[0]?.[1]).toMatch(/^98\.75 % → 98\.\d\d % of rows$/);
  const [before = "", now = ""] = lines[0]?.[1] ?? [];
  expect(Number.parseFloat(before)).toBeCloseTo(Number.parseFloat(tested[0] ?? ""), 1);
  expect(before).not.toBe(`${now} → `);
  expect(lines[0]?.[1]?.slice(1, 3)).toEqual([
    expect.stringMatching(/^\d+\.\d+ %$/),
    expect.stringMatching(/^\d+\.\d – \d+\.\d$/),
  ]);
  expect(lines[0]?.[1]?.[3]).toBe("");
  expect(lines[2]?.[1]?.[3]).toBe("unreliable");
});

test("doubt is coloured, set and explained as in the table of all rows", () => {
  const { by, el, receive, nextFrame } = open({ levels: true });
  by(3);
  receive("stress", STRESS);
  nextFrame();
  const cell = el.querySelector<HTMLElement>('[data-testid="groups"] tbody tr:last-child td');
  expect(cell?.classList.contains("ts-is-unreliable")).toBe(true);
  expect(cell?.title).toMatch(/^unreliable: /);
  expect(cell?.lastElementChild?.className).toBe("ts-doubtful");
});

test("the chosen metric comes first, and the lines stay theirs", () => {
  const { by, rows, heads, receive, nextFrame } = open({ levels: true });
  by(2);
  const before = rows();
  receive("metric", "error_rate");
  nextFrame();
  expect(heads()).toEqual(["group", "Error rate", "Share predicted 1"]);
  expect(rows()).toEqual(before.map(([group, first, second]) => [group, second, first]));
  by(1);
  expect(heads()).toEqual(["group", "Error rate", "Share predicted 1"]);
  receive("metric", "portion_1");
  nextFrame();
  by(2);
  expect(rows()).toEqual(before);
});

test("where there is no population, no group has numbers", () => {
  const { by, rows, receive, nextFrame } = open();
  by(1);
  receive("stress", { taus: { "sex = Female": 1, age: 1, hours: -1 }, hold: "means" });
  nextFrame();
  for (const [group, ...cells] of rows()) {
    expect(group?.slice(1)).toEqual([expect.stringMatching(/ → none of rows$/), "–"]);
    for (const cell of cells) expect(cell.slice(1)).toEqual(["none", "–", ""]);
  }
});

test("where the rows are not here, the line of code that answers is said", () => {
  const { picker, section } = open({ shipped: false });
  expect(picker).toBeNull();
  expect(section.textContent).toBe(
    'By group: the rows are not in this page, so that Python answers: study.reweight(…).by("sex").',
  );
});

test("a number that is missing in some rows is no column to ask by", () => {
  const missing = ({ columns_message }: Example) => {
    const features = columns_message.features.map((one, k) => (k === 2 ? { ...one, column: "gain" } : one));
    return { columns_message: { ...columns_message, features } };
  };
  expect(open({ shipped: false }, missing).section.hidden).toBe(true);
});

test("without a column that tells rows apart there is nothing to choose", () => {
  const numbers = ({ columns_message }: Example) => {
    const features = columns_message.features.map((one) => ({ ...one, kind: "numeric", level: null }));
    const whole = features.map((one) => ({ ...one, integer: false }));
    return { columns_message: { ...columns_message, features: whole } };
  };
  expect([open({}, numbers).section.hidden, open({ shipped: false }, numbers).section.hidden]).toEqual([
    true,
    true,
  ]);
});

test("names from data are text", () => {
  const hostile = ({ columns_message }: Example) => {
    const features = columns_message.features.map((one, k) =>
      k === 2 ? { ...one, column: HOSTILE, level: HOSTILE } : one,
    );
    return { columns_message: { ...columns_message, features } };
  };
  const { by, el, picker, rows } = open({}, hostile);
  by(1);
  expect(picker.options[1]?.textContent).toBe(HOSTILE);
  expect(rows().map(([group]) => group?.[0])).toEqual([HOSTILE, `not ${HOSTILE}`]);
  expect(el.querySelector("img")).toBeNull();
});
