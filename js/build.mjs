// One entry per view: a widget carries its own view's code and nothing else.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";

const watch = process.argv.includes("--watch");
const options = {
  entryPoints: {
    effect: "src/views/effect.ts",
    joint_stress: "src/views/joint_stress.ts",
    stress_curves: "src/views/stress_curves.ts",
    stress_image: "src/views/stress_image.ts",
    stress_surface: "src/views/stress_surface.ts",
  },
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
