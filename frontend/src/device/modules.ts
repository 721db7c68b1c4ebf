/** The C of wasm/kernels as modules of WebAssembly, by what a browser has to know to run them. */
import relaxed from "./built/relaxed.wasm?url";
import relaxedThreads from "./built/relaxed_threads.wasm?url";
import scalar from "./built/scalar.wasm?url";
import simd from "./built/simd.wasm?url";
import simdThreads from "./built/simd_threads.wasm?url";
import { Missing } from "./work";

/** `device.c`, as every module gives it. */
export interface Kernels {
  /** C = A B by the version of that number in matmul.c; `me` and `of` are the place in a team and its size. */
  multiply(
    version: number,
    rounds: number,
    n: number,
    rows: number,
    side: number,
    a: number,
    b: number,
    c: number,
    me: number,
    of: number,
  ): void;
  /** Multiply-adds that stay in registers; returns the floating-point operations of a round. */
  peak(rounds: number, at: number): number;
  memory: WebAssembly.Memory;
  __heap_base: WebAssembly.Global<"i32">;
  __stack_pointer: WebAssembly.Global<"i32">;
}

export const LOOPS = 3;
export const PACKED = 6;

const KINDS = {
  scalar: [scalar],
  /** With numbers four at a time: the first that this browser takes. */
  vectors: [relaxed, simd],
  threads: [relaxedThreads, simdThreads],
};
export type Kind = keyof typeof KINDS;

interface Found {
  url: string;
  module: WebAssembly.Module;
}
const found = new Map<Kind, Promise<Found | undefined>>();

async function find(kind: Kind): Promise<Found | undefined> {
  for (const url of KINDS[kind]) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    const bytes = await answer.arrayBuffer();
    if (WebAssembly.validate(bytes)) return { url, module: await WebAssembly.compile(bytes) };
  }
  return undefined;
}

function known(kind: Kind): Promise<Found | undefined> {
  const one = found.get(kind) ?? find(kind);
  found.set(kind, one);
  one.catch(() => found.delete(kind)); // the network may come back
  return one;
}

/** Throws `Missing` where the browser takes none of that kind. */
export async function module(kind: Kind): Promise<WebAssembly.Module> {
  const one = await known(kind);
  if (!one) throw new Missing("the WebAssembly of this browser has no SIMD");
  return one.module;
}

/** The most that this browser's WebAssembly has for numbers, in words. */
export async function vectors(): Promise<string> {
  const one = await known("vectors");
  if (!one) return "no SIMD";
  return one.url === relaxed ? "relaxed SIMD" : "SIMD without fused multiply-adds";
}
