// gzip looks back 32 kB only, so functions that are alike are put next to each other.
import { gzipSync } from "node:zlib";
import ts from "typescript";

const WINDOW = 32_000;
/** Characters of the runs that two functions are compared by. */
const RUN = 8;
/** Added to the number of a function's runs, so that a few of them shared by chance are not a likeness. */
const PRIOR = 20;

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
function sharedRuns(texts, length) {
  const all = texts.map((text) => new Set([...text].map((_, k) => text.slice(k, k + length))));
  const counts = new Map();
  for (const runs of all) for (const run of runs) counts.set(run, (counts.get(run) ?? 0) + 1);
  return all.map((runs) => [...runs].filter((run) => counts.get(run) > 1));
}

/** The runs of the texts put last, as far as gzip looks back; for each text how many of its own are among them. */
function createWindow(texts, runs) {
  const having = new Map();
  runs.forEach((own, k) => {
    for (const run of own) having.set(run, [...(having.get(run) ?? []), k]);
  });
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

/** After each text the one that shares most with what came shortly before. */
function clustered(texts, length) {
  const runs = sharedRuns(texts, length);
  const window = createWindow(texts, runs);
  const likeness = (k) => window.n_within[k] / (runs[k].length + PRIOR);
  const left = new Set(texts.keys());
  const order = [];
  while (left.size > 0) {
    let next = -1;
    for (const k of left) if (next < 0 || likeness(k) > likeness(next)) next = k;
    left.delete(next);
    window.add(next);
    order.push(texts[next]);
  }
  return order;
}

/**
 * The same module in an order that gzip makes less of. A function is there as soon as the module starts, wherever it
 * stood; all else keeps its order.
 *
 * @param {string} script an ES module whose statements end in semicolons, and which declares no name twice
 * @param {number[]} lengths of the runs that functions are compared by; each is tried, and the shortest script kept
 */
export function cluster(script, lengths = [RUN]) {
  const { functions, rest } = partsOf(script);
  if (functions.length === 0) return script;
  const ways = lengths.map((length) => `var ${clustered(functions, length).join(",")};${rest}`);
  const sizes = ways.map((way) => gzipSync(way, { level: 9 }).length);
  return ways[sizes.indexOf(Math.min(...sizes))];
}
