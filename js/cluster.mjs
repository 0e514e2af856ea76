// gzip looks back 32 kB only, so functions that are alike are put next to each other.
import { gzipSync } from "node:zlib";
import ts from "typescript";

const WINDOW = 32_000;
/** Characters of the runs that two functions are compared by. */
const RUN = 8;
/** Added to the number of a function's runs, so that a few of them shared by chance are not a likeness. */
const PRIOR = 20;

/** The functions declared at a module's top level, each by itself, and all that stands between them, in order. */
function partsOf(script) {
  const { statements } = ts.createSourceFile("module.js", script, ts.ScriptTarget.ES2022);
  const textOf = ({ pos, end }) => script.slice(pos, end);
  const isExported = ({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const isHoisted = (statement) => ts.isFunctionDeclaration(statement) && !isExported(statement);
  return {
    functions: statements.filter(isHoisted).map(textOf),
    rest: statements.filter((statement) => !isHoisted(statement)).map(textOf),
  };
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
 * The same module in an order that gzip makes less of. Function declarations are there before any statement of a
 * module runs, wherever they stand; all else keeps its order.
 *
 * @param {string} script an ES module whose statements end in semicolons
 * @param {number[]} lengths of the runs that functions are compared by; each is tried, and the shortest script kept
 */
export function cluster(script, lengths = [RUN]) {
  const { functions, rest } = partsOf(script);
  const ways = lengths.map((length) => [...clustered(functions, length), ...rest].join(""));
  const sizes = ways.map((way) => gzipSync(way, { level: 9 }).length);
  return ways[sizes.indexOf(Math.min(...sizes))];
}
