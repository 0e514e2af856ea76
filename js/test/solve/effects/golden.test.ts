import { describe, expect, test } from "vitest";
import type { Band } from "../../../src/solve/effects/numbers";
import { solveStress } from "../../../src/solve/stress/solver";
import { numbersOf } from "../../../src/views/effects/effect/derive_view";
import { float32 } from "../../../src/wire/buffers";
import { decodeColumns } from "../../../src/wire/columns";
import {
  decodeEffect,
  isAccumulated,
  type Kind,
  type Part,
  samePart,
} from "../../../src/wire/effects/effect";
import type { ArrayMessage, FeatureEffectViewTraits } from "../../../src/wire/messages";
import { readStress } from "../../../src/wire/shared_stress";
import { bytes as decode, readGolden } from "../../support/golden";
import { layoutOf } from "../../support/layout";

type Numbers = readonly (number | null)[];
type Ends = { readonly lower: Numbers; readonly upper: Numbers } | null;

/** A view's state written by Python, and its own numbers from the same rows. */
interface Case {
  readonly traits: Record<string, unknown>;
  readonly json: Record<string, unknown>;
  readonly buffers: Record<string, string>;
  readonly bounds: readonly { kind: Kind; class: string; epsilon: number; certified: Ends; paper: Ends }[];
  readonly moved: readonly {
    kind: Kind;
    class: string;
    stress: unknown;
    tv: number;
    ess: number;
    kl: number;
    value: Numbers;
    lower: Numbers;
    upper: Numbers;
    certified: Ends;
    paper: Ends;
    change: number;
  }[];
}

const golden = readGolden<Record<string, Case>>("effect.json");
const NEAR = 2e-6;

function traitsOf({ traits, json, buffers }: Case): FeatureEffectViewTraits {
  const bytes = Object.fromEntries(Object.entries(buffers).map(([name, text]) => [name, decode(text)]));
  return { ...traits, ...json, ...bytes } as unknown as FeatureEffectViewTraits;
}

function expectNear(found: ArrayLike<number>, wanted: Numbers, what: string): void {
  expect(found.length, what).toBe(wanted.length);
  wanted.forEach((value, g) => {
    if (value === null) expect(Number.isFinite(found[g]), `${what} at ${g}`).toBe(false);
    else
      expect(Math.abs((found[g] as number) - value), `${what} at ${g}`).toBeLessThanOrEqual(
        NEAR * Math.max(1, Math.abs(value)),
      );
  });
}

function expectBand(found: Band | null, wanted: Ends, what: string): void {
  expect(found === null, what).toBe(wanted === null);
  if (!found || !wanted) return;
  expectNear(found.lower, wanted.lower, `${what} lower`);
  expectNear(found.upper, wanted.upper, `${what} upper`);
}

describe.each(Object.entries(golden))("%s", (_, one) => {
  const traits = traitsOf(one);
  const message = decodeEffect(traits);
  const columns = decodeColumns(traits);
  const numbers = (kind: Kind, name: string) => {
    const part = message.parts.find((shipped) => samePart(shipped, traits.features, kind));
    if (!part) throw new Error(`no ${kind}`);
    const found = numbersOf(part, message.classes.indexOf(name), message);
    if (!found) throw new Error(`no rows of ${kind}`);
    return { part, found };
  };

  test("every kind and class is there with the rows behind it", () => {
    expect(message.parts.map(({ kind }) => kind)).toEqual(["pd", "cd", "ale"]);
    expect(message.classes).toEqual(["a", "b", "c"]);
    expect(message.columns_complete && columns.message.shipped).toBe(true);
  });

  test("bounds are Python's at every distance", () => {
    expect(one.bounds.length).toBe(27);
    for (const wanted of one.bounds) {
      const { certified, paper } = numbers(wanted.kind, wanted.class).found.bounds(wanted.epsilon);
      const what = `${wanted.kind} ${wanted.class} ${wanted.epsilon}`;
      expectBand(certified, wanted.certified, `${what} certified`);
      expectBand(paper, wanted.paper, `${what} paper`);
    }
  });

  test("effects under a stress are Python's, inside the band of exactly that distance", () => {
    for (const wanted of one.moved) {
      const solved = solveStress(columns, readStress(wanted.stress));
      expect(solved.tv).toBeCloseTo(wanted.tv, 5);
      expect(solved.ess / wanted.ess).toBeCloseTo(1, 5);
      expect(solved.kl).toBeCloseTo(wanted.kl, 5);
      const { part, found } = numbers(wanted.kind, wanted.class);
      const { curve, certified, paper, change } = found.under(solved.weights);
      const what = `${wanted.kind} ${wanted.class} ${JSON.stringify(wanted.stress)}`;
      expectNear(curve.value, wanted.value, `${what} value`);
      const shared = isAccumulated(wanted.kind) && part.axes[0]?.kind === "levels";
      if (shared) expect(curve.lower.every(Number.isNaN)).toBe(true);
      else {
        expectNear(curve.lower, wanted.lower, `${what} lower`);
        expectNear(curve.upper, wanted.upper, `${what} upper`);
        expect(curve.lower.filter(Number.isFinite).length).toBeGreaterThan(curve.value.length / 2);
      }
      expectBand(certified, wanted.certified, `${what} certified`);
      expectBand(paper, wanted.paper, `${what} paper`);
      expect(change).toBeCloseTo(wanted.change, 5);
      curve.value.forEach((value, g) => {
        if (!Number.isFinite(value)) return;
        expect(value).toBeGreaterThanOrEqual((certified.lower[g] as number) - NEAR);
        expect(value).toBeLessThanOrEqual((certified.upper[g] as number) + NEAR);
      });
    }
  });
});

interface RawPart {
  readonly layout: { readonly floats: readonly ArrayMessage[] };
}

describe("curves that rows share", () => {
  const traits = traitsOf(golden.age as Case);
  const raw = traits.message as { n_rows: number; parts: RawPart[] };
  const [whole] = decodeEffect(traits).parts;
  const part = raw.parts[0] as RawPart;
  const behind = part.layout.floats.find(({ name }) => name === "curve")?.start ?? 0;
  const floats = float32("floats", traits.floats);
  /** The part with the curves of its first rows alone, of which the others have one each. */
  const shared = (nCurves: number, integers: Uint32Array) => {
    const G = whole?.n_points ?? 0;
    const curves = [0, 1, 2].map((output) =>
      floats.subarray(behind + output * raw.n_rows * G, behind + (output * raw.n_rows + nCurves) * G),
    );
    const all = Float32Array.from([...floats.subarray(0, behind), ...curves.flatMap((own) => [...own])]);
    const message = {
      ...raw,
      weighted: false,
      parts: [
        {
          ...part,
          layout: {
            floats: part.layout.floats.map((one) =>
              one.name === "curve"
                ? layoutOf(["curve"], "class curve point", [3, nCurves, G], behind)[0]
                : one,
            ),
            integers: layoutOf(["place"], "entry", [integers.length]),
          },
        },
      ],
    };
    return decodeEffect({ message, floats: all.buffer, integers: integers.buffer as ArrayBuffer });
  };
  const valuesOf = (found: { rows: Part["rows"] } | undefined, output: number) => {
    const rows = found?.rows?.(output);
    return rows?.kind === "curves" ? Array.from(rows.values) : [];
  };

  test("are those of each row", () => {
    const places = Uint32Array.from({ length: raw.n_rows }, (_, row) => (row * row) % 5);
    const [found] = shared(5, places).parts;
    const G = whole?.n_points ?? 0;
    for (const output of [0, 1, 2]) {
      const own = valuesOf(whole, output);
      const wanted = Array.from(places).flatMap((place) => own.slice(place * G, (place + 1) * G));
      expect(wanted.length).toBe(raw.n_rows * G);
      expect(valuesOf(found, output)).toEqual(wanted);
    }
  });

  test("are as many as their places say", () => {
    const places = Uint32Array.from({ length: raw.n_rows }, (_, row) => row % 5);
    expect(() => shared(4, places)).toThrow('must have 5 numbers of "curve" by curve');
    expect(() => shared(5, places.slice(1))).toThrow("must have 60 places, received 59");
  });
});
