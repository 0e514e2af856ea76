/**
 * What messages.ts is made of: a schema checks a value from the kernel and gives it its type. What does not keep to
 * it throws a WireError that says where, the rule, and what was received.
 */

/** A message that does not keep to the contract: the rule, and what was received. */
export class WireError extends Error {
  override name = "WireError";
}

/** What hosts hand over for a `Bytes` trait: a DataView in Jupyter, other views elsewhere. */
export type Bytes = DataView | Uint8Array | ArrayBuffer;

/** @param where the path of the value, as in `features[0].name` */
export type Schema<T> = (value: unknown, where: string) => T;
export type Infer<S> = S extends Schema<infer T> ? T : never;

function printed(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function refuse(where: string, rule: string, value: unknown): never {
  throw new WireError(`"${where}" must be ${rule}, received ${printed(value)}`);
}

export const text: Schema<string> = (value, where) =>
  typeof value === "string" ? value : refuse(where, "text", value);

export const number: Schema<number> = (value, where) =>
  typeof value === "number" && Number.isFinite(value) ? value : refuse(where, "a finite number", value);

export const flag: Schema<boolean> = (value, where) =>
  typeof value === "boolean" ? value : refuse(where, "true or false", value);

export const record: Schema<Record<string, unknown>> = (value, where) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : refuse(where, "an object", value);

const array: Schema<unknown[]> = (value, where) =>
  Array.isArray(value) ? value : refuse(where, "a list", value);

export function oneOf<const T extends string>(...allowed: readonly T[]): Schema<T> {
  const rule = allowed.map((word) => `"${word}"`).join(" or ");
  return (value, where) =>
    (allowed as readonly unknown[]).includes(value) ? (value as T) : refuse(where, rule, value);
}

/** A list whose entries are told apart by their position. */
export function list<T>(entry: Schema<T>): Schema<readonly T[]> {
  return (value, where) => array(value, where).map((one, k) => entry(one, `${where}[${k}]`));
}

/** A list of plain values, which has one path for all of them. */
function plain<T>(entry: Schema<T>): Schema<readonly T[]> {
  return (value, where) => array(value, where).map((one) => entry(one, where));
}

export const numbers = plain(number);
export const texts = plain(text);
export const numbersOrNull = plain(nullable(number));

export const ascending: Schema<readonly number[]> = (value, where) => {
  const found = numbers(value, where);
  const rises = found.every((one, k) => k === 0 || one > (found[k - 1] as number));
  return rises ? found : refuse(where, "in ascending order", found);
};

/** A schema of a list of an object that has an entry for each `thing`. */
type Listing<T> = Schema<readonly T[]> & { readonly thing?: string };

/** A list with an entry for each `thing`: of one object all such lists of a thing are equally long. */
export function each<T>(thing: string, schema: Schema<readonly T[]>): Listing<T> {
  return Object.assign((value: unknown, where: string) => schema(value, where), { thing });
}

function checkLengths(
  fields: Record<string, Schema<unknown> & { thing?: string }>,
  read: Record<string, unknown>,
  path: string,
) {
  const first = new Map<string, readonly [string, number]>();
  for (const [name, { thing }] of Object.entries(fields)) {
    if (thing === undefined) continue;
    const { length } = read[name] as readonly unknown[];
    const [other, n] = first.get(thing) ?? [name, length];
    first.set(thing, [other, n]);
    if (length !== n) {
      const rule = `must have an entry for each ${thing}, of which "${path}${other}" has ${n}`;
      throw new WireError(`"${path}${name}" ${rule}, received ${length}`);
    }
  }
}

/**
 * Every field of an object; others it may have are left out. The fields of "message" go without its name.
 *
 * @param schemas called when the first is read: a bundle can leave out what it does not read, since nothing is made
 */
export function object<F extends Record<string, Schema<unknown>>>(
  schemas: () => F,
): Schema<{ readonly [K in keyof F]: Infer<F[K]> }> {
  let fields: F | undefined;
  return (value, where) => {
    fields ??= schemas();
    const given = record(value, where);
    const path = where === "message" ? "" : `${where}.`;
    const entries = Object.entries(fields).map(([name, field]) => [name, field(given[name], path + name)]);
    const read = Object.fromEntries(entries) as { [K in keyof F]: Infer<F[K]> };
    checkLengths(fields, read, path);
    return read;
  };
}

/** Refuse a list that has not one entry for each of `n` things. */
export function checkCount(where: string, list: readonly unknown[], n: number, things: string): void {
  if (list.length !== n) throw new WireError(`"${where}" must have ${n} ${things}, received ${list.length}`);
}

/** Values of one kind by name. */
export function recordOf<T>(schema: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return (value, where) => {
    const entries = Object.entries(record(value, where));
    return Object.fromEntries(entries.map(([name, one]) => [name, schema(one, `${where}.${name}`)]));
  };
}

/** A list of so many entries, each of its own kind. */
export function tuple<S extends readonly Schema<unknown>[]>(
  ...entries: S
): Schema<{ readonly [K in keyof S]: Infer<S[K]> }> {
  return (value, where) => {
    const given = array(value, where);
    if (given.length !== entries.length) refuse(where, `a list of ${entries.length}`, value);
    return entries.map((entry, k) => entry(given[k], `${where}[${k}]`)) as { [K in keyof S]: Infer<S[K]> };
  };
}

/** A number or a text, as one types into a field. */
export const numberOrText: Schema<number | string> = (value, where) =>
  typeof value === "string" || Number.isFinite(value)
    ? (value as number | string)
    : refuse(where, "a number or a text", value);

export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return nullAs(null, schema);
}

/** Null stands for a value that JSON does not have, such as NaN or ∞. */
export function nullAs<T, N>(meant: N, schema: Schema<T>): Schema<T | N> {
  return (value, where) => (value === null ? meant : schema(value, where));
}

/** Null stands for what is not defined, or has no interval. */
export const numberOrNaN = nullAs(Number.NaN, number);

/** A field that may be left out. */
export function optional<T>(schema: Schema<T>, otherwise: NoInfer<T>): Schema<T> {
  return (value, where) => (value === undefined ? otherwise : schema(value, where));
}

/** True until the kernel has sent its first message. */
export function isWaiting(message: unknown): boolean {
  return message === undefined || message === null || Object.keys(message).length === 0;
}

/** A message of which {} means that there is none yet. */
export function unlessEmpty<T>(schema: Schema<T>): Schema<T | null> {
  return (value, where) => (isWaiting(record(value ?? {}, where)) ? null : schema(value, where));
}

/** @param rule what it must do, as in "name at least one metric" */
export function notEmpty<T>(schema: Schema<readonly T[]>, rule: string): Schema<readonly T[]> {
  return (value, where) => {
    const found = schema(value, where);
    if (found.length === 0) throw new WireError(`"${where}" must ${rule}, received none`);
    return found;
  };
}

/** The version of a message; the two halves of a widget may come from different installations. */
export function version<const V extends number>(wanted: V): Schema<V> {
  return (value, where) => {
    if (value === wanted) return wanted;
    const what = where === "version" ? "message" : where.replace(/(_message)?\.version$/, "");
    throw new WireError(
      `this script reads version ${wanted} of the ${what}, received version ${String(value)}. ` +
        "Restart the kernel and reload the page so that both run the same Tauscope",
    );
  };
}
