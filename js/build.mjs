// One entry per view: a widget carries its own view's code and nothing else.
import esbuild from "esbuild";

const watch = process.argv.includes("--watch");
const options = {
  entryPoints: { stress_curves: "src/views/stress_curves.ts" },
  outdir: "../src/tauscope/static",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  legalComments: "none",
  define: { "define.amd": "false" },
};

if (watch) await (await esbuild.context(options)).watch();
else await esbuild.build(options);
