// Asks one runner for runs that need no second making. Run in frontend/; standard input is JSON: the runs, each its
// parameters, how it ends, and after how many events the reader leaves. Says what came of each, and what was made.
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

registerHooks({
  resolve: (name, context, next) =>
    next(/^\.{1,2}\/(?!.*\.\w+$)/.test(name) && context.parentURL?.endsWith(".ts") ? `${name}.ts` : name, context),
});
const { once } = await import(pathToFileURL(join(process.cwd(), "src/runner/once.ts")).href);

const made = [];
let status;
const runner = once({
  async *run(lab, params) {
    made.push(params);
    yield { kind: "started" };
    yield { kind: "a", text: `${lab} ${made.length}` };
    yield { kind: "end", status, reason: "" };
  },
});

const came = [];
for (const { params, ends, leave = Infinity } of JSON.parse(await text(process.stdin))) {
  status = ends;
  const events = [];
  for await (const event of runner.run("s/lab", params, new AbortController().signal))
    if (events.push(event.text ?? event.kind) >= leave) break;
  came.push(events);
}
console.log(JSON.stringify({ came, made }));
