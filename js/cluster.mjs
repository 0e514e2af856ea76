// gzip looks back 32 kB only, so functions that are alike are put next to each other.
import { deflateRawSync, gzipSync } from "node:zlib";
import ts from "typescript";

const WINDOW = 32_000;
/** Characters of the runs that two functions are compared by. */
const RUN = 6;
/** Added to the number of a function's runs, so that a few of them shared by chance are not a likeness. */
const PRIOR = 10;
/** A run that more functions have than this tells none of them apart. */
const COMMON = 60;
/** How many functions that are like one are tried as its neighbours, and how many are moved at once at most. */
const ALIKE = 8;
const LONGEST = 4;

/** Whether a function has a `this` or `arguments` of its own, which an arrow has not. */
function needsItself(node) {
  if (node.kind === ts.SyntaxKind.ThisKeyword || (ts.isIdentifier(node) && node.text === "arguments"))
    return true;
  return ts.forEachChild(node, needsItself) ?? false;
}

/** Shorter than a declaration: `name=(a,b)=>a+b` for `function name(a,b){return a+b}`. */
function arrowOf({ name, modifiers, parameters, body }, textOf) {
  const [only, second] = parameters;
  const bare = only && !second && ts.isIdentifier(only.name) && !only.initializer && !only.dotDotDotToken;
  const given = bare ? textOf(only) : `(${parameters.map(textOf).join(",")})`;
  const returned = body.statements.length === 1 && body.statements[0].expression;
  const isValue = returned && ts.isReturnStatement(body.statements[0]);
  const isWrapped = isValue && (/^{/.test(textOf(returned)) || isSequence(returned));
  const answer = isWrapped ? `(${textOf(returned)})` : textOf(isValue ? returned : body);
  return `${textOf(name)}=${modifiers ? `async${bare ? " " : ""}` : ""}${given}=>${answer}`;
}

const isSequence = (node) =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken;

/** A module's functions, each as `name=arrow`, and all that is computed as it loads, in order. */
function partsOf(script) {
  const file = ts.createSourceFile("module.js", script, ts.ScriptTarget.ES2022, true);
  const textOf = (node) => script.slice(node.getStart(file), node.end);
  const isPlain = ({ asteriskToken, modifiers, parameters, body }) =>
    !asteriskToken &&
    !modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) &&
    ![...parameters, body].some(needsItself);
  const isArrow = ({ initializer }) => initializer && ts.isArrowFunction(initializer);
  const functions = [];
  const rest = file.statements.map((statement) => {
    if (ts.isFunctionDeclaration(statement) && isPlain(statement)) {
      functions.push(arrowOf(statement, textOf));
      return "";
    }
    if (!ts.isVariableStatement(statement) || statement.modifiers) return textOf(statement);
    const { declarations } = statement.declarationList;
    functions.push(...declarations.filter(isArrow).map(textOf));
    const values = declarations.filter((one) => !isArrow(one)).map(textOf);
    return values.length ? `var ${values.join(",")};` : "";
  });
  return { functions, rest: rest.join("") };
}

/** For each text the runs that it shares with any other. */
function sharedRuns(texts) {
  const all = texts.map((text) => new Set([...text].map((_, k) => text.slice(k, k + RUN))));
  const counts = new Map();
  for (const runs of all) for (const run of runs) counts.set(run, (counts.get(run) ?? 0) + 1);
  return all.map((runs) => [...runs].filter((run) => counts.get(run) > 1));
}

/** For each run the texts that have it. */
function textsHaving(runs) {
  const having = new Map();
  runs.forEach((own, k) => {
    for (const run of own) having.set(run, [...(having.get(run) ?? []), k]);
  });
  return having;
}

/** The runs of the texts put last, as far as gzip looks back; for each text how many of its own are among them. */
function createWindow(texts, runs) {
  const having = textsHaving(runs);
  const within = new Map();
  const n_within = texts.map(() => 0);
  const latest = [];
  let length = 0;
  const count = (k, step, edge) => {
    for (const run of runs[k]) {
      const n = (within.get(run) ?? 0) + step;
      within.set(run, n);
      if (n === edge) for (const other of having.get(run)) n_within[other] += step;
    }
    length += step * texts[k].length;
  };
  return {
    n_within,
    add(k) {
      latest.push(k);
      count(k, 1, 1);
      while (length > WINDOW && latest.length > 1) count(latest.shift(), -1, 0);
    },
  };
}

/** An order in which after each text comes the one that shares most with what came shortly before. */
function clustered(texts) {
  const runs = sharedRuns(texts);
  const window = createWindow(texts, runs);
  const likeness = (k) => window.n_within[k] / (runs[k].length + PRIOR);
  const left = new Set(texts.keys());
  const order = [];
  while (left.size > 0) {
    let next = -1;
    for (const k of left) if (next < 0 || likeness(k) > likeness(next)) next = k;
    left.delete(next);
    window.add(next);
    order.push(next);
  }
  return order;
}

/** For each text some that are like it, the most alike first: what few texts have counts more. */
function findAlike(texts) {
  const runs = sharedRuns(texts);
  const having = textsHaving(runs);
  return runs.map((own, k) => {
    const likeness = new Map();
    for (const run of own) {
      const others = having.get(run);
      if (others.length > COMMON) continue;
      for (const other of others)
        likeness.set(other, (likeness.get(other) ?? 0) + 1 / Math.log2(1 + others.length));
    }
    likeness.delete(k);
    const of = ([other, shared]) => shared / (runs[other].length + PRIOR);
    return [...likeness]
      .sort((a, b) => of(b) - of(a))
      .slice(0, ALIKE)
      .map(([other]) => other);
  });
}

/** Numbers in [0, 1), the same each time, for a build is to be the same again: mulberry32. */
function createRandom() {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What gzip makes of texts behind others. */
function sizeBehind(taken, before) {
  let window = "";
  for (let k = before.length - 1; k >= 0 && window.length < WINDOW; k--) window = `${before[k]},${window}`;
  const dictionary = Buffer.from(window).subarray(-WINDOW);
  return deflateRawSync(taken.join(","), { level: 9, dictionary }).length;
}

/** Take some texts that follow each other to one that the first of them is like; null where they stand as well. */
function moved(order, texts, alike, random) {
  const first = Math.floor(random() * order.length);
  const others = [...order];
  const taken = others.splice(first, 1 + Math.floor(random() * random() * LONGEST));
  const like = alike[taken[0]];
  const place = others.indexOf(like[Math.floor(random() * random() * like.length)]);
  if (place < 0) return null;
  const at = place + (random() < 0.7 ? 1 : 0);
  const size = (k) =>
    sizeBehind(
      taken.map((one) => texts[one]),
      others.slice(0, k).map((one) => texts[one]),
    );
  if (size(at) >= size(first)) return null;
  others.splice(at, 0, ...taken);
  return others;
}

/** The order with each move that did not make the script larger: one that changes nothing may open the way. */
function improved(order, texts, sizeOf, moves) {
  const [alike, random] = [findAlike(texts), createRandom()];
  let [best, least] = [order, sizeOf(order)];
  for (let k = 0; k < moves; k++) {
    const next = moved(best, texts, alike, random);
    const size = next ? sizeOf(next) : Number.POSITIVE_INFINITY;
    if (size <= least) [best, least] = [next, size];
  }
  return best;
}

/**
 * The same module in an order that gzip makes less of. A function is there as soon as the module starts, wherever it
 * stood; all else keeps its order.
 *
 * @param {string} script an ES module whose statements end in semicolons, and which declares no name twice
 * @param {number} moves of functions that are tried, each in some 4 ms for every 400 kB
 */
export function cluster(script, moves = 0) {
  const { functions, rest } = partsOf(script);
  if (functions.length === 0) return script;
  const written = (order) => `var ${order.map((k) => functions[k]).join(",")};${rest}`;
  const sizeOf = (order) => gzipSync(written(order), { level: 9 }).length;
  const order = clustered(functions);
  return written(moves > 0 ? improved(order, functions, sizeOf, moves) : order);
}
