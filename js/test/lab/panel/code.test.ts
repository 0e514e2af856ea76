import { expect, test } from "vitest";
import { codeOfDisplay, codeOfStudy, isIdentifier, suggest, targetsOf } from "../../../src/lab/panel/code";
import type { Listing } from "../../../src/lab/panel/listing";

const LISTING: Listing = {
  module: "ts",
  free: "study",
  studies: [],
  models: [
    { name: "first", kind: "LogisticRegression", n_columns: 3 },
    { name: "model", kind: "Pipeline", n_columns: 2 },
  ],
  frames: [
    { name: "X_train", n_rows: 8, n_columns: 2 },
    { name: "X_test", n_rows: 4, n_columns: 2 },
    { name: "other", n_rows: 4, n_columns: 9 },
  ],
  columns: [
    { name: "y_train", n_rows: 8 },
    { name: "y_test", n_rows: 4 },
    { name: "groups", n_rows: 4 },
  ],
};

test("a cell as a person would write it", () => {
  const choice = { model: "model", data: "X_test", target: "y_test" };
  expect(codeOfStudy(choice, LISTING)).toBe("study = ts.Study(model, X_test, y_test)");
  expect(codeOfStudy({ ...choice, target: "" }, LISTING)).toBe("study = ts.Study(model, X_test)");
  expect(codeOfStudy(choice, { module: null, free: "study_2" })).toBe(
    "import tauscope\n\nstudy_2 = tauscope.Study(model, X_test, y_test)",
  );
});

test("nothing but names is written into code", () => {
  for (const name of ["a b", "x)", "1x", "", "a.b", "a\nb", "x;y", 'x"']) {
    expect(isIdentifier(name)).toBe(false);
    expect(() => codeOfStudy({ model: name, data: "X", target: "" }, LISTING)).toThrow("is not a name");
    expect(() => codeOfStudy({ model: "m", data: name, target: "" }, LISTING)).toThrow("is not a name");
    expect(() => codeOfDisplay(name)).toThrow("is not a name");
  }
  expect(() => codeOfStudy({ model: "m", data: "X", target: "y)" }, LISTING)).toThrow("is not a name");
  expect(["größe", "_x", "x1", "名"].every(isIdentifier)).toBe(true);
});

test("a study is displayed without a name left behind", () => {
  expect(codeOfDisplay("study")).toBe('__import__("IPython.display", fromlist=["display"]).display(study)');
});

test("the last model, data of its width named for a test, a target of as many rows", () => {
  expect(suggest(LISTING)).toEqual({ model: "model", data: "X_test", target: "y_test" });
});

test("what fits nothing is suggested all the same, and nothing of nothing", () => {
  const odd = { ...LISTING, models: [{ name: "m", kind: "M", n_columns: 5 }] };
  expect(suggest(odd)).toEqual({ model: "m", data: "X_test", target: "y_test" });
  expect(suggest({ ...LISTING, models: [], frames: [] })).toEqual({ model: "", data: "", target: "" });
  expect(suggest({ ...LISTING, models: [{ name: "m", kind: "M", n_columns: null }] }).data).toBe("X_test");
});

test("targets have as many rows as the data", () => {
  expect(targetsOf(LISTING, "X_test")).toEqual(["y_test", "groups"]);
  expect(targetsOf(LISTING, "gone")).toEqual([]);
});
