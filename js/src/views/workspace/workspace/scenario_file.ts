/** Scenarios as the JSON that Python reads and writes, with a clear no to what is of other data. */

import type { ColumnMessage, WorkspaceMessage } from "../../../wire/messages";
import { list, object, text } from "../../../wire/schema";
import { readStress, type Stress } from "../../../wire/shared_stress";
import { rowsOf } from "../../shared/words";
import { targetAt } from "../../stress/joint/context";
import { nameProblem } from "./scenario_form";

/** A stress that was given a name. */
export interface Scenario extends Stress {
  readonly name: string;
}

const named = object(() => ({ name: text }));

/** The stresses kept. */
export const decodeScenarios = (value: unknown): readonly Scenario[] =>
  list((one, where) => ({ ...named(one, where), ...readStress(one) }))(value ?? [], "scenarios");

type File = WorkspaceMessage["file"];
/** Digits of a hash that are shown, as in Python. */
const SHOWN = 16;

function meansOf({ taus }: Scenario, features: readonly ColumnMessage[]) {
  const moved = features.filter(({ name }) => Object.hasOwn(taus, name));
  return Object.fromEntries(
    moved.map((about) => {
      const unit = about.kind === "share" ? "share" : about.unit === "0/1" ? "" : about.unit;
      return [about.name, { before: about.mean, target: targetAt(about, taus[about.name] as number), unit }];
    }),
  );
}

/** @param today as YYYY-MM-DD */
export function writeScenarios(
  file: File,
  features: readonly ColumnMessage[],
  scenarios: readonly Scenario[],
  today: string,
): string {
  const { schema, version, ...rest } = file;
  const document = {
    ...{ schema, version, saved: today, ...rest },
    scenarios: scenarios.map((one) => ({
      ...{ name: one.name, taus: one.taus, hold: one.hold },
      means: meansOf(one, features),
    })),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function told(value: unknown): string {
  const words = value === undefined ? "none" : JSON.stringify(value);
  return words.length > 60 ? `${words.slice(0, 57)}…` : words;
}

function readOne(
  saved: unknown,
  place: string,
  names: readonly string[],
  taken: readonly string[],
): Scenario {
  const { name, taus, hold } = fieldsOf(saved);
  const problem = typeof name === "string" ? nameProblem(name, taken) : `its name is ${told(name)}.`;
  if (problem) throw new Error(`${place} cannot be read: ${problem}`);
  let stress: ReturnType<typeof readStress>;
  try {
    stress = readStress({ taus, hold });
  } catch (error) {
    throw new Error(`${place} cannot be read: ${(error as Error).message}.`);
  }
  const moved = Object.keys(stress.taus);
  if (moved.length === 0) throw new Error(`${place} moves no feature. Save it anew.`);
  const strange = moved.find((feature) => !names.includes(feature));
  if (strange !== undefined) {
    throw new Error(
      `The scenario “${name}” moves “${strange}”, which this study has not. Rename it in the file, or open it with a study that has it.`,
    );
  }
  return { name: name as string, ...stress };
}

function checkData(saved: unknown, { data }: File, name: string): void {
  const { hash, n_rows } = fieldsOf(saved);
  if (hash === data.hash) return;
  const theirs = typeof hash === "string" ? hash.slice(0, SHOWN) : "none";
  const rows = typeof n_rows === "number" ? `, ${rowsOf(n_rows)}` : "";
  throw new Error(
    `The scenarios in ${name} are of other data (hash ${theirs}${rows}; this study's is ${data.hash.slice(0, SHOWN)}, ${rowsOf(data.n_rows)}), where the same τ is another mean. Load them with a study of that data, or in Python with check_data=False.`,
  );
}

/**
 * The scenarios of a file.
 *
 * @param names of the features that can be moved
 * @throws Error that says in words what does not match
 */
export function readScenarios(
  text: string,
  name: string,
  file: File,
  names: readonly string[],
): readonly Scenario[] {
  let document: Readonly<Record<string, unknown>>;
  try {
    document = fieldsOf(JSON.parse(text));
  } catch (error) {
    throw new Error(
      `A file of scenarios is JSON; ${name} cannot be read as such: ${(error as Error).message}.`,
    );
  }
  const { schema, version, scenarios, data } = document;
  if (schema !== file.schema) {
    throw new Error(
      `A file of scenarios has the schema “${file.schema}”; ${name} has ${told(schema)}. Choose one that Tauscope saved.`,
    );
  }
  if (version !== file.version) {
    throw new Error(
      `This version of Tauscope reads version ${file.version} of ${file.schema}; ${name} has ${told(version)}. Save the scenarios anew.`,
    );
  }
  if (!Array.isArray(scenarios) || scenarios.length === 0) {
    throw new Error(`A file of scenarios has a list of them; ${name} has ${told(scenarios)}.`);
  }
  const read: Scenario[] = [];
  for (const [k, one] of scenarios.entries()) {
    const taken = read.map((other) => other.name);
    read.push(readOne(one, `Scenario ${k + 1} in ${name}`, names, taken));
  }
  checkData(data, file, name);
  return read;
}
