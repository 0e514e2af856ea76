// One entry per view: a widget carries its own view's code and nothing else.
import { existsSync, readdirSync, readFileSync } from "node:fs";
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

const options = {
  entryPoints: findEntries("src/views"),
  outdir: "../src/tauscope/static",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  legalComments: "none",
  define: { "define.amd": "false" },
  metafile: true,
};

function sizeOf(path) {
  const bytes = readFileSync(path);
  const kilobytes = (size) => `${(size / 1000).toFixed(1)} kB`;
  return `${path}  ${kilobytes(bytes.length)}, ${kilobytes(gzipSync(bytes, { level: 9 }).length)} gzipped\n`;
}

if (watch) await (await esbuild.context(options)).watch();
else {
  const { metafile } = await esbuild.build(options);
  process.stdout.write(Object.keys(metafile.outputs).map(sizeOf).join(""));
}
