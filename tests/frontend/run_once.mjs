// Asks the runners of two figures, which share one Python, for runs that need no second making. Run in frontend/;
// standard input is JSON: the parameters that there are, and the runs, each its figure, its parameters, how it ends, how
// long it takes, after how many events the reader leaves, and how long until the next; or a parameter that somebody has a
// hand on instead. Says what came of each, what was made, and what was stopped.
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

registerHooks({
  resolve: (name, context, next) =>
    next(/^\.{1,2}\/(?!.*\.\w+$)/.test(name) && context.parentURL?.endsWith(".ts") ? `${name}.ts` : name, context),
});
const source = (name) => import(pathToFileURL(join(process.cwd(), `src/runner/${name}.ts`)).href);
const [{ once }, { makeWay }] = [await source("once"), await source("foreseen")];
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

const [made, stopped] = [[], []];
let [status, takes] = ["ok", 0];
const python = {
  async *run(lab, params, signal) {
    makeWay();
    made.push(params);
    yield { kind: "started" };
    yield { kind: "a", text: `${lab} ${JSON.stringify(Object.values(params))}` };
    for (let ms = 0; ms < takes && !signal.aborted; ms++) await wait(1);
    if (signal.aborted) return void stopped.push(params);
    yield { kind: "end", status, reason: "" };
  },
};
const { properties, runs } = JSON.parse(await text(process.stdin));
const figures = [once(python, properties), once(python, properties)];

const came = [];
for (const { figure, params, near, ends, lasts, leave = Infinity, then } of runs) {
  [status, takes] = [ends, lasts];
  const events = [];
  const control = new AbortController();
  if (near) figures[figure].nears("s/lab", params, near);
  else
    for await (const event of figures[figure].run("s/lab", params, control.signal))
      if (events.push(event.text ?? event.kind) >= leave) break;
  if (!near) came.push(events);
  if (then) await wait(then);
}
const all = [...made];
await wait(5); // who is told to stop does so within a millisecond
console.log(JSON.stringify({ came, made: all, stopped }));
process.exit();
