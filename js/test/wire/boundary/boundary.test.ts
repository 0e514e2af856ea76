import { describe, expect, test } from "vitest";
import { decodeAnswers, decodeRows } from "../../../src/wire/boundary/boundary";
import {
  boundaryListedMessage,
  boundaryMessage,
  boundaryProgressMessage,
  decisionMessage,
} from "../../../src/wire/messages";
import { unlessEmpty } from "../../../src/wire/schema";
import { boundaryAnswer, boundaryTraits } from "../../support/boundary_example";
import { bytes, readGolden } from "../../support/golden";
import { layoutOf } from "../../support/layout";

interface Case {
  readonly json: { readonly message: unknown; readonly answer: unknown; readonly decision: unknown };
  readonly buffers: { readonly rows: string; readonly path_values: string; readonly pictures: string };
  readonly path: { readonly length: number[]; readonly answer: number[] };
}

const golden = readGolden<Record<string, Case>>("boundary.json");
const traitsOf = ({ json, buffers }: Case) => ({
  ...json,
  rows: bytes(buffers.rows),
  path_values: bytes(buffers.path_values),
  pictures: bytes(buffers.pictures),
});

describe("what Python wrote", () => {
  test.each(Object.entries(golden))("%s is read", (_, one) => {
    const traits = traitsOf(one);
    const message = boundaryMessage(traits.message, "message");
    expect(message.live).toBe(true);
    const rows = decodeRows(message, traits);
    expect(rows).toHaveLength(message.n_rows);
    const [first] = decodeAnswers(traits);
    expect(rows?.[first?.row ?? -1]?.predicted).toBe(message.labels.indexOf(first?.labels.start ?? ""));
    if (first?.path) {
      expect(first.path.length).toEqual(one.path.length);
      expect(first.path.answer).toEqual(one.path.answer);
      for (const place of first.path.moving) {
        expect(first.path.value(place, 0)).toBeCloseTo(first.features[place]?.start ?? Number.NaN, 4);
      }
    }
  });

  test("the values at the step before the crossing lie between the row's and those after it", () => {
    const [first] = decodeAnswers(traitsOf(golden.two as Case));
    const path = first?.path;
    const step = path?.flipped.indexOf(1) ?? 0;
    const place = path?.moving[0] ?? 0;
    const [start, at, last] = [0, step, (path?.length.length ?? 1) - 1].map(
      (k) => path?.value(place, k) ?? 0,
    );
    expect(Math.abs((at as number) - (start as number))).toBeGreaterThan(0);
    expect(Math.abs((last as number) - (start as number))).toBeGreaterThanOrEqual(
      Math.abs((at as number) - (start as number)),
    );
  });
});

describe("pictures", () => {
  const words = traitsOf(golden.words as Case);
  const { image } = boundaryMessage(words.message, "message");
  const [first] = decodeAnswers(words, image);
  const shade = (value: number) => 1 + Math.round((254 * (value - 0)) / 2);

  test("have a byte for each pixel, as Python wrote them", () => {
    const pictures = first?.pictures;
    expect(image).toEqual([4, 5, 1]);
    expect([pictures?.low, pictures?.high]).toEqual([0, 2]);
    expect(pictures?.row).toHaveLength(20);
    const ones = [...(pictures?.row ?? [])].filter((value) => value === shade(1));
    expect(ones).toHaveLength(4);
    expect(Math.max(...(pictures?.direction ?? []).map((lean) => Math.abs(lean - 128)))).toBe(127);
    expect(pictures?.at(0)).toEqual(pictures?.row);
    expect(pictures?.at(100)).toHaveLength(20);
  });

  test("are none without the shape of an image", () => {
    expect(decodeAnswers(words)[0]?.pictures).toBeNull();
  });

  test("that are cut short are refused", () => {
    expect(() => decodeAnswers({ ...words, pictures: new Uint8Array(9) }, image)).toThrow(
      '"pictures" must hold',
    );
  });
});

test("words are the text in pieces", () => {
  const [first] = decodeAnswers(traitsOf(golden.words as Case));
  const pieces = first?.words?.pieces ?? [];
  expect(pieces.map(({ text }) => text).join("")).toBe("FREE prize! Reply <b>now</b>, don't wait.");
  expect(pieces.filter(({ weight }) => weight !== null)).toHaveLength(4);
  expect(first?.mostly_zero).toBe(true);
});

test("the decision of an edited row is read", () => {
  const decision = unlessEmpty(decisionMessage)((golden.two as Case).json.decision, "decision");
  expect(decision?.edits).toEqual({ age: 50, "<b>level</b>": "high" });
  expect(decision?.sentence).toContain("With these values: b,");
  expect(unlessEmpty(decisionMessage)({}, "decision")).toBeNull();
  expect(() => unlessEmpty(decisionMessage)({ ...decision, edits: { age: null } }, "decision")).toThrow(
    "a number or a text",
  );
});

describe("what does not keep to the contract", () => {
  const refused = (change: Record<string, unknown>) => () =>
    decodeAnswers(boundaryTraits({ answer: { answers: [boundaryAnswer(change)] } }));
  const { path } = boundaryAnswer();
  test.each([
    [
      { path: { ...path, layout: layoutOf(["values"], "moving step", [3, 11]) } },
      '2 numbers of "values" by moving',
    ],
    [
      { path: { ...path, layout: layoutOf(["values"], "moving step", [2, 11], 4) } },
      '"path_values" must hold',
    ],
    [{ path: { ...path, moving: [0, 9] } }, "path.moving"],
    [{ path: { ...path, flipped: [] } }, 'path.flipped" must have an entry for each step'],
    [{ bounds: { age: [1] } }, 'bounds.age" must be a list of 2'],
    [{ reliability: { level: "fine", words: "", reasons: [] } }, "reliability.level"],
  ])("is refused: %j", (change, words) => {
    expect(refused(change)).toThrow(words);
  });

  test("no answer at all", () => {
    expect(() => decodeAnswers(boundaryTraits({ answer: { answers: [] } }))).toThrow("at least one");
  });
});

test("nothing listed and nothing under way are null", () => {
  expect(unlessEmpty(boundaryListedMessage)({}, "listed")).toBeNull();
  expect(unlessEmpty(boundaryProgressMessage)({}, "progress")).toBeNull();
  const listed = unlessEmpty(boundaryListedMessage)(
    {
      filter: "all",
      text: "",
      n: 1,
      rows: [{ row: 0, predicted: 1, truth: -1, answer: null }],
    },
    "listed",
  );
  expect(listed?.rows[0]?.answer).toBeNaN();
});
