// Compares logs as the page does. Run in frontend/; standard input is a JSON list of pairs of logs, as they travel.
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

// The site's bundler finds "./logs" without its ending.
registerHooks({
  resolve: (name, context, next) =>
    next(
      /^\.{1,2}\/(?!.*\.\w+$)/.test(name) && context.parentURL?.endsWith(".ts")
        ? `${name}.ts`
        : name,
      context,
    ),
});
const load = (name) =>
  import(pathToFileURL(join(process.cwd(), "src", name)).href);
const { compare } = await load("lab/compare/logs.ts");
const { ratios } = await load("lab/compare/timings.ts");
const { decode } = await load("runner/array.ts");

const said = JSON.parse(await text(process.stdin)).map((pair) => {
  const [one, other] = pair.map((log) => decode(log));
  return { ...compare(one, other), ratios: ratios(one[0], other[0], {}) };
});
process.stdout.write(JSON.stringify(said));
