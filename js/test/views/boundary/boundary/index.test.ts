// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import widget from "../../../../src/views/boundary/boundary/index";
import { boundaryAnswer, boundaryMessage, boundaryTraits } from "../../../support/boundary_example";
import { endingKernel } from "../../../support/ending_kernel";
import { layoutOf } from "../../../support/layout";
import { isOff, mountView, painted } from "../../../support/view";

function mount(state: Record<string, unknown> = boundaryTraits(), widget_manager?: unknown) {
  const view = mountView(widget, state, widget_manager);
  return {
    ...view,
    value: (feature: string) =>
      view.all("value").find(({ dataset }) => dataset.feature === feature) as HTMLElement,
    lines: () =>
      [...view.el.querySelectorAll("[data-testid=changes] tbody:not([hidden]) tr:not(.ts-constraint)")].map(
        (row) => [...row.children].map((cell) => cell.textContent),
      ),
  };
}

type Mounted = ReturnType<typeof mount>;

/** Open a feature's line and return its controls. */
function open(view: Mounted, feature: string) {
  view.value(feature).click();
  const line = view.value(feature).closest("tr")?.nextElementSibling as HTMLElement;
  const box = (testid: string) => line.querySelector(`[data-testid="${testid}"]`) as HTMLInputElement;
  const enter = (testid: string, value: string) => {
    box(testid).value = value;
    box(testid).dispatchEvent(new Event("change", { bubbles: true }));
  };
  return { line, box, lock: box("lock"), low: box("low"), high: box("high"), enter };
}

const offline = () =>
  boundaryTraits({
    message: boundaryMessage({ live: false, offline: "No kernel here.", rows_shipped: false }),
    rows: new DataView(new ArrayBuffer(0)),
  });

describe("at rest", () => {
  test("says what was found, and shows the changes that matter first", async () => {
    const view = mount();
    expect(view.text("headline")).toContain("it becomes malignant 0.62 standard deviations away");
    expect(view.text("certificate")).toContain("nothing is proved");
    expect(view.at("status").hidden).toBe(true);
    expect(view.lines()).toEqual([
      ["mean radius", "12.50", "14.25+1.75", "14.39", "18.00"],
      ["<b>size</b>", "small", "large", "small", "large"],
    ]);
    expect(view.text("unchanged")).toBe("3 unchanged");
    expect(view.text("reliability")).toContain("The explanation is rough.");
    await painted();
    expect(view.root.dataset.ready).toBe("1");
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("unchanged features open, with levels, whole and missing values as they are", () => {
    const view = mount();
    view.at("unchanged").click();
    expect(view.at("unchanged").getAttribute("aria-expanded")).toBe("true");
    expect(view.lines().slice(2)).toEqual([
      ["age", "40", "40", "40", "61"],
      ["siteconstant", "3", "3", "3", "3"],
      ["grade", "missing", "missing", "missing", "2"],
    ]);
    view.at("unchanged").click();
    expect(view.lines()).toHaveLength(2);
  });

  test("every control is out of the host's shortcuts, and data is never markup", () => {
    const view = mount();
    const controls = view.el.querySelectorAll<HTMLElement>("input, select, button, summary, [tabindex]");
    expect(controls.length).toBeGreaterThan(8);
    for (const control of controls) expect(control.dataset.lmSuppressShortcuts).toBe("true");
    expect(view.el.querySelector("th b, .ts-bars b")).toBeNull();
  });

  test("the direction is drawn both ways with what it changes", () => {
    const view = mount();
    const bars = [...view.at("direction").children].map((bar) => bar.textContent);
    expect(bars).toEqual(["mean radius+3.15", "<b>size</b>→ large"]);
  });

  test("a sample on two components is a scatter, where there is one", () => {
    const projection = { first: [0, 1, 2], second: [1, 0, 1], flipped: [0, 1, 1], words: "3 points" };
    const view = mount(boundaryTraits({ answer: { answers: [boundaryAnswer({ projection })] } }));
    expect(view.text("projection")).toBe("3 points (filled).");
    expect(view.el.querySelectorAll(".ts-beyond")).toHaveLength(2);
    const other = mount();
    expect(other.at("projection").parentElement?.hidden).toBe(true);
  });

  test("nothing found is said with what was tried", () => {
    const answer = boundaryAnswer({
      found: false,
      status: "Not found: the constraints leave nothing to move.",
      path: null,
      rival_row: null,
      diagnostics: [],
      features: boundaryAnswer().features.map((one) => ({
        ...one,
        point: null,
        rival: null,
        changed: false,
      })),
    });
    const view = mount(boundaryTraits({ answer: { answers: [answer] } }));
    expect(view.text("status")).toContain("leave nothing to move");
    expect(view.el.querySelector<HTMLElement>(".ts-walk")?.hidden).toBe(true);
    expect(view.text("unchanged")).toBe("5 unchanged");
  });
});

describe("the walk", () => {
  test("starts at the first crossing and follows the slider without the kernel", async () => {
    const view = mount();
    expect(view.text("reading")).toBe("0.60 sd along, probability of benign: 48.0 %, decided malignant");
    expect(view.text("crossing")).toContain("returns to benign");
    expect(view.el.querySelectorAll(".ts-flipped")).toHaveLength(1);
    view.enter("walk", "9", "input");
    expect(view.text("reading")).toBe("0.90 sd along, probability of benign: 60.0 %, decided benign");
    expect(view.lines().map((cells) => cells[3])).toEqual(["15.34", "large"]);
    expect(view.at("walk").getAttribute("aria-valuetext")).toBe(view.text("reading"));
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("another answer starts at its own crossing", async () => {
    const view = mount();
    view.enter("walk", "9", "input");
    const path = {
      ...boundaryAnswer().path,
      flipped: boundaryAnswer().path.length.map((_, k) => (k >= 4 ? 1 : 0)),
    };
    view.receive("answer", { answers: [boundaryAnswer({ path })] });
    await painted();
    expect(view.at<HTMLInputElement>("walk").value).toBe("4");
  });
});

describe("which row", () => {
  test("is typed, stepped and chosen from the list", async () => {
    const view = mount();
    view.enter("row", "21", "change");
    expect(view.state.row).toBe(21);
    expect(view.at("late").textContent).toContain("asked for row 21");
    view.at("next").click();
    expect(view.state.row).toBe(22);
    view.at("previous").click();
    expect(view.state.row).toBe(21);
    view.enter("row", "99", "change");
    expect(view.state.row).toBe(21);
    expect(view.at<HTMLInputElement>("row").value).toBe("21");
    const find = view.at<HTMLDetailsElement>("find");
    find.open = true;
    find.dispatchEvent(new Event("toggle"));
    expect(view.text("n-rows")).toBe("40 rows");
    view.enter("filter", "errors", "change");
    expect(view.text("n-rows")).toBe("7 rows");
    view.enter("search", "3", "input");
    expect([...view.at("rows").children].map((row) => row.firstChild?.textContent)).toEqual(["30", "35"]);
    view.at("rows").lastElementChild?.querySelector("button")?.click();
    expect(view.state.row).toBe(35);
    await painted();
    expect(view.saves).toHaveBeenCalled();
  });

  test("from elsewhere is followed and not answered", async () => {
    const view = mount();
    view.receive("row", 5);
    expect(view.at<HTMLInputElement>("row").value).toBe("5");
    expect(view.at("late").hidden).toBe(false);
    await painted();
    expect(view.saves).not.toHaveBeenCalled();
  });

  test("is asked of the kernel where the rows are too many", () => {
    const view = mount(
      boundaryTraits({
        message: boundaryMessage({ rows_shipped: false }),
        rows: new DataView(new ArrayBuffer(0)),
      }),
    );
    const find = view.at<HTMLDetailsElement>("find");
    find.open = true;
    find.dispatchEvent(new Event("toggle"));
    expect(view.state.query).toEqual({ filter: "all", text: "" });
    expect(view.text("n-rows")).toContain("The kernel lists");
    view.receive("listed", {
      filter: "all",
      text: "",
      n: 100,
      rows: [{ row: 12, predicted: 1, truth: 0, answer: 0.8 }],
    });
    expect(view.text("n-rows")).toBe("100 rows, the first 1 listed");
    expect(view.text("rows")).toBe("12malignantbenign80.0 %");
  });
});

describe("constraints", () => {
  test("a lock and two ends are asked by clicking the value, and searched on demand", async () => {
    const view = mount();
    const radius = open(view, "mean radius");
    expect(view.value("mean radius").getAttribute("aria-expanded")).toBe("true");
    radius.enter("low", "10");
    radius.enter("high", "13.5");
    expect(view.state.bounds).toEqual({ "mean radius": [10, 13.5] });
    const size = open(view, "<b>size</b>");
    expect((size.low.parentElement as HTMLElement).hidden).toBe(true);
    size.lock.click();
    expect(view.state.fixed).toEqual(["<b>size</b>"]);
    expect(view.text("progress")).toBe("1 locked, 1 bounded; not searched yet");
    expect(view.lines().map((cells) => cells[0])).toEqual(["mean radius10 – 13.5", "<b>size</b>locked"]);
    expect(view.state.search).toBe(0);
    view.at("search-again").click();
    expect(view.state.search).toBe(1);
    radius.enter("low", "");
    radius.enter("high", "");
    expect(view.state.bounds).toEqual({});
    view.at("free").click();
    expect(view.state.fixed).toEqual([]);
    expect(size.lock.checked).toBe(false);
  });

  test("work is told, and can be cancelled", () => {
    const view = mount();
    view.receive("progress", {
      row: 17,
      doing: "Asking A forest about row 17",
      n_model_rows: 285,
      error: "",
    });
    expect(view.text("progress")).toBe("Asking A forest about row 17, 285 model rows so far…");
    expect(view.text("search-again")).toBe("Cancel");
    view.at("search-again").click();
    expect(view.state.stop).toBe(1);
    expect(view.state.search).toBe(0);
  });

  test("cancelling another row goes back to the one that is shown", () => {
    const view = mount();
    view.enter("row", "21", "change");
    view.receive("progress", { row: 21, doing: "Asking", n_model_rows: 0, error: "" });
    view.at("search-again").click();
    expect(view.state.row).toBe(17);
    expect(view.at("late").hidden).toBe(true);
  });

  test("an error is said", () => {
    const view = mount();
    view.receive("progress", { row: 17, doing: "", n_model_rows: 0, error: "Bounds must hold the row." });
    expect(view.text("problem")).toBe("Bounds must hold the row.");
    expect(view.at("problem").getAttribute("role")).toBe("alert");
  });
});

describe("without a kernel", () => {
  test("the controls that need one are disabled and say why; the walk goes on", () => {
    const view = mount(offline());
    expect(view.text("progress")).toContain("No kernel here.");
    const radius = open(view, "mean radius");
    const others = [radius.lock, radius.low, radius.box("edit")];
    for (const control of [view.at("row"), view.at("next"), view.at("previous"), ...others]) {
      expect((control as HTMLInputElement).disabled).toBe(true);
    }
    expect(view.at<HTMLButtonElement>("search-again").disabled).toBe(true);
    expect(view.at("row").title).toBe("No kernel here.");
    view.enter("walk", "2", "input");
    expect(view.text("reading")).toContain("0.20 sd along");
  });
});

describe("several answers", () => {
  test("regions are tabs, chosen by key", () => {
    const second = boundaryAnswer({
      name: "stretch 2",
      headline: "Another stretch.",
      path: null,
    });
    const view = mount(
      boundaryTraits({ answer: { answers: [boundaryAnswer({ name: "nearest" }), second] } }),
    );
    const tabs = [...view.at("answers").querySelectorAll<HTMLElement>("[role=tab]")];
    expect(tabs.map((tab) => [tab.textContent, tab.tabIndex])).toEqual([
      ["nearest", 0],
      ["stretch 2", -1],
    ]);
    tabs[0]?.dispatchEvent(
      new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }),
    );
    expect(view.text("headline")).toBe("Another stretch.");
    expect(tabs[1]?.getAttribute("aria-selected")).toBe("true");
  });

  test("classes are tabs that ask the kernel; the row's own is not among them", () => {
    const view = mount(
      boundaryTraits({ message: boundaryMessage({ targets: ["benign", "malignant", "unclear"] }) }),
    );
    const tabs = [...view.at("targets").querySelectorAll<HTMLElement>("[role=tab]")];
    expect(tabs.map((tab) => tab.textContent)).toEqual(["nearest of any class", "malignant", "unclear"]);
    tabs[2]?.click();
    expect(view.state.target).toBe("unclear");
    expect(view.text("late")).toContain("towards unclear");
  });
});

test("a kernel that ends in the middle of a search is said, and it is not waited for", async () => {
  const { manager, slots, end } = endingKernel();
  const view = mount(boundaryTraits(), manager);
  view.at("next").click();
  view.receive("progress", { row: 18, doing: "Searching", n_model_rows: 1200, error: "" });
  expect(view.text("late")).toContain("1,200 model rows so far…");
  end();
  await painted();
  expect(view.text("kernel-gone")).toContain("run the cell again");
  expect(view.text("late")).toBe(`Not row 18. ${view.text("kernel-gone")}`);
  expect(view.text("search-again")).toBe("Search again");
  expect(view.el.textContent).not.toContain("so far…");
  expect(["next", "search-again"].map((one) => isOff(view.at(one)))).toEqual([true, true]);
  view.end();
  expect(slots.size).toBe(0);
});

describe("other values", () => {
  const decided = (change: Record<string, unknown> = {}) => ({
    row: 17,
    edits: { "mean radius": 14 },
    sentence: "With this value: malignant, 71 %, in place of benign.",
    flipped: true,
    n_model_rows: 2,
    doing: "",
    error: "",
    ...change,
  });
  const section = (view: Mounted) => view.at("decision").closest("section") as HTMLElement;

  test("are typed, answered by the kernel, and taken back", async () => {
    const view = mount();
    expect(section(view).hidden).toBe(true);
    const radius = open(view, "mean radius");
    radius.enter("edit", "14");
    expect(view.state.edits).toEqual({ "mean radius": 14 });
    expect(view.lines()[0]?.[1]).toBe("12.50tried 14");
    expect(section(view).hidden).toBe(false);
    expect(view.text("decision-cost")).toBe("1 value tried. The kernel is asked…");
    view.receive("decision", decided({ sentence: "", doing: "Asking A forest about the row as edited" }));
    expect(view.text("decision-cost")).toContain("Asking A forest");
    expect(view.text("own-values")).toBe("Cancel");
    view.receive("decision", decided());
    expect(view.text("decision")).toBe("With this value: malignant, 71 %, in place of benign.");
    expect(view.text("decision-cost")).toBe("1 value tried, 2 model rows");
    expect(section(view).classList.contains("ts-is-flipped")).toBe(true);
    radius.enter("edit", "13");
    expect(view.at("decision").classList.contains("ts-is-stale")).toBe(true);
    expect(isOff(view.at("inspect"))).toBe(true);
    view.at("own-values").click();
    expect(view.state.edits).toEqual({});
    expect(section(view).hidden).toBe(true);
    expect(view.lines()[0]?.[1]).toBe("12.50");
    await painted();
    expect(view.saves).toHaveBeenCalled();
  });

  test("are levels too, and the row's own number is none", () => {
    const view = mount();
    const size = open(view, "<b>size</b>");
    const select = size.box("edit") as unknown as HTMLSelectElement;
    expect([...select.options].map(({ text }) => text)).toEqual(["small", "large"]);
    size.enter("edit", "large");
    open(view, "mean radius").enter("edit", "12.5");
    expect(view.state.edits).toEqual({ "<b>size</b>": "large" });
    size.enter("edit", "");
    expect(view.state.edits).toEqual({});
  });

  test("are left with the row, and given up by a lock", () => {
    const view = mount();
    const radius = open(view, "mean radius");
    radius.enter("edit", "14");
    radius.lock.click();
    expect(view.state).toMatchObject({ fixed: ["mean radius"], edits: {} });
    expect(radius.box("edit").disabled).toBe(true);
    radius.lock.click();
    radius.enter("edit", "15");
    view.at("next").click();
    expect(view.state).toMatchObject({ row: 18, edits: {} });
  });

  test("are inspected as a row of their own", async () => {
    const view = mount();
    open(view, "mean radius").enter("edit", "14");
    view.receive("decision", decided());
    view.at("inspect").click();
    expect(view.state.inspect).toBe(1);
    view.receive("answer", { answers: [boundaryAnswer({ row: -1, headline: "The row given." })] });
    view.receive("row", -1);
    view.receive("edits", {});
    await painted();
    expect(view.at<HTMLInputElement>("row").value).toBe("");
    expect(view.el.querySelector(".ts-row-line")?.textContent).toContain("values given, beside the 40 rows");
    expect(view.el.querySelector(".ts-changes thead")?.textContent).toContain("row given");
    expect(view.at("late").hidden).toBe(true);
  });

  test("that a kernel was asked about when it ended are not waited for", async () => {
    const { manager, end } = endingKernel();
    const view = mount(boundaryTraits(), manager);
    open(view, "mean radius").enter("edit", "14");
    view.receive("decision", decided({ sentence: "", doing: "Asking A forest about the row as edited" }));
    end();
    await painted();
    expect(view.text("decision-cost")).toContain("1 value tried. Not decided. The kernel has ended");
    expect(isOff(view.at("inspect"))).toBe(true);
    expect(view.el.textContent).not.toContain("…");
    view.at("own-values").click();
    expect(view.state.edits).toEqual({});
  });

  test("that Python refuses are said", () => {
    const view = mount();
    open(view, "mean radius").enter("edit", "14");
    view.receive("decision", decided({ sentence: "", flipped: false, error: "'mean radius' <b>no</b>." }));
    expect(view.text("decision-problem")).toBe("'mean radius' <b>no</b>.");
    expect(view.at("decision").hidden).toBe(true);
    expect(isOff(view.at("inspect"))).toBe(true);
  });
});

describe("pictures", () => {
  /** What was painted last, by the picture's name. */
  const painting = new Map<string, readonly number[]>();
  beforeEach(() => {
    painting.clear();
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (
      this: HTMLCanvasElement,
    ) {
      const context = {
        createImageData: (width: number, height: number) => ({
          data: new Uint8ClampedArray(4 * width * height),
        }),
        putImageData: ({ data }: ImageData) => painting.set(this.dataset.testid ?? "", [...data]),
      };
      return context as unknown as null;
    });
  });
  afterEach(() => vi.restoreAllMocks());
  /** Two by three pixels: row, point, rival, direction, and the eleven steps of the path. */
  const shades = new Uint8Array(6 * (4 + 11)).map((_, k) => (k < 18 ? 1 + (k % 6) : 128));
  const laidOut = (nSteps: number, pixels: number, channels: number) => {
    const whole = pixels * channels;
    return [
      ...layoutOf(["row", "point", "rival"], "field pixel channel", [3, pixels, channels]),
      ...layoutOf(["direction"], "pixel", [pixels], 3 * whole),
      ...layoutOf(["path"], "step pixel channel", [nSteps, pixels, channels], 3 * whole + pixels),
    ];
  };
  const pictures = { first: 0, low: 0, high: 16, n_steps: 11, stride: 1, layout: laidOut(11, 6, 1) };
  const still = { ...pictures, n_steps: 0, layout: laidOut(0, 6, 1) };
  const withPictures = (change: Record<string, unknown> = {}) =>
    boundaryTraits({
      message: boundaryMessage({ image: [2, 3, 1] }),
      answer: { answers: [boundaryAnswer({ pictures, ...change })] },
      pictures: shades,
    });
  const label = (view: Mounted, name: string) => view.at(`picture-${name}`).getAttribute("aria-label");

  test("name what they show, and the point's follows the walk", () => {
    const view = mount(withPictures());
    expect(["row", "point", "rival"].map((name) => label(view, name))).toEqual([
      "row 17: benign",
      "nearest flip: malignant",
      "rival, row 3: malignant",
    ]);
    expect(label(view, "direction")).toContain("blue darker, orange brighter");
    expect(view.el.querySelector(".ts-pictures")?.textContent).toContain("Black is 0, white 16.");
    view.enter("walk", "9", "input");
    expect(label(view, "point")).toBe("on the way: 0.90 sd, benign");
  });

  test("are painted in greys, without a value not at all; a direction of none in the middle's colour", () => {
    const bytes = shades.slice();
    bytes.set([0, 1, 255], 0);
    const view = mount({ ...withPictures(), pictures: bytes });
    expect(painting.get("picture-row")?.slice(0, 12)).toEqual([0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255]);
    expect(painting.get("picture-direction")?.slice(0, 4)).toEqual([128, 128, 128, 255]);
    const before = painting.get("picture-point");
    view.enter("walk", "9", "input");
    expect(painting.get("picture-point")).not.toEqual(before);
  });

  test("in three channels are red, green and blue", () => {
    const colors = new Uint8Array(2 * (3 * 3 + 1)).fill(1);
    colors.set([255, 1, 128], 0);
    const three = { ...still, layout: laidOut(0, 2, 3) };
    mount({
      ...withPictures({ path: null, pictures: three }),
      message: boundaryMessage({ image: [1, 2, 3] }),
      pictures: colors,
    });
    expect(painting.get("picture-row")?.slice(0, 4)).toEqual([255, 0, 128, 255]);
  });

  test("are those that there are", () => {
    const view = mount(withPictures({ found: false, path: null, rival_row: null, pictures: still }));
    const hidden = (name: string) => (view.at(`picture-${name}`).parentElement as HTMLElement).hidden;
    expect(["row", "point", "rival"].map(hidden)).toEqual([false, true, true]);
    const none = mount();
    expect(none.el.querySelector<HTMLElement>(".ts-pictures")?.hidden).toBe(true);
  });
});

describe("words", () => {
  const words = {
    pieces: [
      { text: "FREE", weight: -0.9 },
      { text: " <img src=x onerror=alert(1)> ", weight: null },
      { text: "later", weight: 0.4 },
      { text: " day", weight: 0.001 },
    ],
    across: [{ text: "<b>home</b>", weight: 1 }],
    back: [{ text: "claim", weight: -0.1 }],
    n_more: 3,
  };
  const withWords = (change: Record<string, unknown> = {}) =>
    boundaryTraits({ answer: { answers: [boundaryAnswer({ words: { ...words, ...change } })] } });

  test("say what they speak for, by more than their colour, and are never markup", () => {
    const view = mount(withWords());
    const marked = [...view.at("text").children].map((word) => [word.className, word.textContent]);
    expect(marked).toEqual([
      ["ts-word ts-back", "FREE (for benign)"],
      ["ts-word ts-across", "later (for malignant)"],
    ]);
    expect(view.text("text")).toContain("<img src=x onerror=alert(1)>");
    expect(view.at("absent").textContent).toContain("Not in it, would speak for malignant<b>home</b>");
    expect(view.at("absent").textContent).toContain("Not in it, would speak for benignclaim");
    expect(view.el.querySelector(".ts-words img, .ts-words li b")).toBeNull();
    expect(view.el.querySelector(".ts-words")?.textContent).toContain(
      "Press one of them to give it a value. 3 lighter ones are not listed.",
    );
  });

  test("that are not there can be given a value", () => {
    const base = boundaryAnswer().features[2];
    const zero = { ...base, name: "<b>home</b>", start: 0, point: 0, rival: 0 };
    const features = [...boundaryAnswer().features, zero];
    const view = mount(
      boundaryTraits({ answer: { answers: [boundaryAnswer({ features, mostly_zero: true, words })] } }),
    );
    expect(view.value("<b>home</b>")).toBeUndefined();
    view.el.querySelector<HTMLButtonElement>("[data-testid=absent-word]")?.click();
    const box = document.activeElement as HTMLInputElement;
    expect(box.getAttribute("aria-label")).toBe("another value of <b>home</b>, in place of 0");
    box.value = "1";
    box.dispatchEvent(new Event("change", { bubbles: true }));
    expect(view.state.edits).toEqual({ "<b>home</b>": 1 });
    expect(view.lines().at(-1)?.slice(0, 2)).toEqual(["<b>home</b>", "0tried 1"]);
  });

  test("that are not there are words alone without a kernel", () => {
    const view = mount({ ...withWords(), message: offline().message });
    expect(view.at("absent").textContent).toContain("<b>home</b>");
    expect(view.at("absent-word")).toBeNull();
  });

  test("of several classes speak against the row's own", () => {
    const view = mount({
      ...withWords(),
      message: boundaryMessage({ labels: ["benign", "malignant", "unclear"] }),
    });
    expect(view.text("text")).toContain("later (against benign)");
  });

  test("that the model does not know are said to be so", () => {
    const view = mount(
      withWords({ pieces: [{ text: "hm", weight: null }], across: [], back: [], n_more: 0 }),
    );
    expect(view.el.querySelector(".ts-words")?.textContent).toContain("None of these words is a feature");
    expect(view.at("absent").hidden).toBe(true);
  });

  test("that are nowhere need no line in the table", () => {
    const base = boundaryAnswer().features[2];
    const unsent = { n_more: 12, n_more_changed: 4, n_more_zero: 7 };
    const none = { ...base, name: "zero", start: 0, point: 0, rival: 0 };
    const features = [...boundaryAnswer().features, none];
    const view = mount(
      boundaryTraits({ answer: { answers: [boundaryAnswer({ features, mostly_zero: true, ...unsent })] } }),
    );
    expect(view.text("unchanged")).toBe(
      "4 smaller changes (4 not listed), 4 unchanged (1 not listed), 8 that are 0 in all of them",
    );
    view.at("unchanged").click();
    expect(view.lines().map((cells) => cells[0])).not.toContain("zero");
  });
});

test("a message that cannot be read is said, not drawn", () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const path = { ...boundaryAnswer().path, layout: layoutOf(["values"], "moving step", [3, 11]) };
  const view = mount(boundaryTraits({ answer: { answers: [boundaryAnswer({ path })] } }));
  expect(view.root.textContent).toContain('"path_values" must have 2 numbers of "values" by moving');
});
