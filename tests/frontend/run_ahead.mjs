// Runs a preview beside a server's log. Run in frontend/; standard input is JSON: for each runner its events with the
// milliseconds before them, and after how many events the reader leaves. Says what came, and who was told to stop.
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

registerHooks({
  resolve: (name, context, next) =>
    next(/^\.{1,2}\/(?!.*\.\w+$)/.test(name) && context.parentURL?.endsWith(".ts") ? `${name}.ts` : name, context),
});
const { ahead } = await import(pathToFileURL(join(process.cwd(), "src/runner/ahead.ts")).href);

const stopped = [];
const asked = {};
const runner = (name, steps) => ({
  async *run(lab, params, signal) {
    asked[name] = { lab, params, ms: performance.now() - begun };
    try {
      for (const [ms, event] of steps) {
        await new Promise((done) => setTimeout(done, ms));
        if (signal.aborted) return;
        if (event === "broken") throw new Error("it broke");
        yield { ...event, by: name };
      }
    } finally {
      stopped.push(name);
    }
  },
});

const { quick, thorough, leave, hasty } = JSON.parse(await text(process.stdin));
let begun = performance.now();
const control = new AbortController();
const came = [];
const both = ahead(runner("quick", quick), runner("thorough", thorough), ["s/front", "source"]);
if (hasty) {
  const first = new AbortController();
  for await (const _ of both.run("s/lab", { source: "y", level: 2 }, first.signal)) break;
  first.abort();
  stopped.length = 0;
  begun = performance.now();
}
for await (const event of both.run("s/lab", { source: "x", level: 2 }, control.signal)) {
  came.push(`${event.by} ${event.kind}`);
  if (came.length === leave) break;
}
control.abort();
await new Promise((done) => setTimeout(done, 350));
process.stdout.write(JSON.stringify({ came, stopped: stopped.sort(), asked }));
