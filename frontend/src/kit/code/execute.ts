/** A function that the reader wrote, run in the reader's browser: in a worker of its own, for a second at most. */
import type { Call, Result } from "./execute.worker";

const MOST_MS = 1000;

export function execute(call: Call): { result: Promise<Result>; stop: () => void } {
  const worker = new Worker(new URL("./execute.worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => done({ problem: `it was stopped after ${MOST_MS / 1000} s` }), MOST_MS);
  const done = (result: Result) => {
    clearTimeout(timer);
    worker.terminate();
    resolve(result);
  };
  worker.onmessage = ({ data }: MessageEvent<Result>) => done(data);
  worker.onerror = (event) => done({ problem: event.message || "a worker could not start in this browser" });
  worker.postMessage(call);
  return { result: promise, stop: () => done({ problem: "" }) };
}
