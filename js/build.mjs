// Decided in docs/decisions/0009-one-bundle-per-view-without-a-framework.md.
// One entry per view: a widget carries its own view's code and nothing else.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";

const watch = process.argv.includes("--watch");

/** src/views/stress/curves/index.ts is "stress/curves", and becomes stress/curves.js with stress/curves.css. */
function findEntries(views) {
  const found = readdirSync(views).flatMap((room) =>
    readdirSync(`${views}/${room}`).map((view) => `${room}/${view}`),
  );
  const entry = (name) => `${views}/${name}/index.ts`;
  return Object.fromEntries(
    found.filter((name) => existsSync(entry(name))).map((name) => [name, entry(name)]),
  );
}

const entries = findEntries("src/views");
/** The view that has others inside. */
const HOST = "workspace/workspace";
const { [HOST]: hostEntry, ...singleEntries } = entries;

/** The class of a view's root, as its entry names it. */
function rootOf(view) {
  const found = /root: "(ts-[\w-]+)"/.exec(readFileSync(entries[view], "utf-8"));
  if (!found) throw new Error(`${entries[view]} must name its root's class: root: "ts-…"`);
  return found[1];
}

/** The same rules for the parts of one place alone, as specific as before: widgets of a notebook share a page. */
function nested(css, root, place) {
  const here = css
    .replaceAll(".tauscope", "&.tauscope")
    .replaceAll(new RegExp(`(?<!tauscope)\\.${root}(?![\\w-])`, "g"), `&.${root}`);
  return `:where(${place}){${here}}`;
}

/** A view that stands alone, and one inside the host: rules of either leave the other as it is. */
const alone = (css, root) => nested(css, root, `.${root}:not(.${rootOf(HOST)} .${root})`);
const inside = (css, root) =>
  nested(css, root, root === rootOf(HOST) ? `.${root}` : `.${rootOf(HOST)} .${root}`);

async function lowered(css) {
  return (
    await esbuild.transform(css, {
      loader: "css",
      minify: !watch,
      target: ["chrome120", "firefox117", "safari17.2"],
    })
  ).code;
}

/** Names of style sheets that a style sheet imports. */
const importsOf = (path) =>
  [...readFileSync(path, "utf-8").matchAll(/^@import "([^"]+)";/gm)].map(([, name]) => name);

/** In a bundle of several views each view's own rules are kept to it; those they share come first, once. */
const scopeEachStyle = {
  name: "scope each style",
  setup(build) {
    const folder = (view) => `${resolve(dirname(entries[view]))}/`;
    const host = `${folder(HOST)}style.css`;
    const shared = new Set(importsOf(host).map((name) => resolve(dirname(host), name)));
    build.onLoad({ filter: /\.css$/ }, ({ path }) => {
      const view = Object.keys(entries).find((name) => path.startsWith(folder(name))) ?? HOST;
      const imported = importsOf(path).filter(
        (name) => path === host || !shared.has(resolve(dirname(path), name)),
      );
      for (const name of imported) {
        const known = path === host || resolve(dirname(path), name).startsWith(folder(view));
        if (!known) throw new Error(`${host} must import ${name}, which ${path} shares with others`);
      }
      const rules = readFileSync(path, "utf-8").replaceAll(/^@import[^;]*;/gm, "");
      const imports = imported.map((name) => `@import "${name}";\n`).join("");
      return { contents: imports + inside(rules, rootOf(view)), loader: "css" };
    });
  },
};

const scopeStyles = {
  name: "scope styles",
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        const view = relative(options.outdir, path).replace(/\.(css|js)$/, "");
        mkdirSync(dirname(path), { recursive: true });
        const css = (own) => lowered(view === HOST ? own : alone(own, rootOf(view)));
        writeFileSync(path, path.endsWith(".css") ? await css(text) : text);
      }
    });
  },
};

/** Beside a script that others' code went into: the licence of each package, as it asks to be passed on. */
const keepLicences = {
  name: "keep licences",
  setup(build) {
    build.onEnd(({ metafile }) => {
      const used = Object.keys(metafile.inputs).map(
        (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
      );
      const texts = [...new Set(used.filter(Boolean))].sort().map((name) => {
        const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf-8"));
        return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf-8").trim()}\n`;
      });
      const [script] = Object.keys(metafile.outputs);
      writeFileSync(script.replace(/\.js$/, ".licences.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
    });
  },
};

const options = {
  entryPoints: singleEntries,
  outdir: "../src/tauscope/static",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  legalComments: "none",
  define: { "define.amd": "false" },
  metafile: true,
  write: false,
  plugins: [scopeStyles],
};

const host = { ...options, entryPoints: { [HOST]: hostEntry }, plugins: [scopeEachStyle, scopeStyles] };

// What JupyterLab loads; the wheel puts it beside jupyter-config/labextension/package.json.
const extension = {
  ...options,
  entryPoints: { labextension: "src/lab/index.ts" },
  format: "iife",
  loader: { ".css": "text" },
};

// What draws the chart of a saved page.
const chart = {
  ...options,
  entryPoints: { "sharing/chart": "src/sharing/chart.ts" },
  plugins: [scopeStyles, keepLicences],
};

function sizeOf(path) {
  const bytes = readFileSync(path);
  const kilobytes = (size) => `${(size / 1000).toFixed(1)} kB`;
  return `${path}  ${kilobytes(bytes.length)}, ${kilobytes(gzipSync(bytes, { level: 9 }).length)} gzipped\n`;
}

for (const wanted of [options, host, extension, chart]) {
  if (watch) await (await esbuild.context(wanted)).watch();
  else {
    const { metafile } = await esbuild.build(wanted);
    process.stdout.write(Object.keys(metafile.outputs).map(sizeOf).join(""));
  }
}
