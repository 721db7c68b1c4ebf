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

/** Whether two answers are one: whole numbers modulo their width, floating ones as they are. */
export function same(value: string, answer: string, returns: string): boolean {
  if (returns === "void") return true;
  if (returns === "float")
    return Math.fround(Number(answer)) === Math.fround(Number(value)) || value === answer;
  if (returns === "double") return Number(answer) === Number(value);
  return normal(value, returns) === normal(answer, returns);
}

/** A whole number as C prints it; WebAssembly knows no sign and no width below 32 bits. */
export function normal(value: string, returns: string): string {
  if (/void|float|double/.test(returns)) return value;
  const bits =
    returns === "_Bool"
      ? 1
      : /char/.test(returns)
        ? 8
        : /short/.test(returns)
          ? 16
          : /long/.test(returns)
            ? 64
            : 32;
  const wrap = /unsigned|_Bool/.test(returns) ? BigInt.asUintN : BigInt.asIntN;
  return String(wrap(bits, BigInt(value)));
}
