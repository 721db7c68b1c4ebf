/** A member of a team: it sleeps until the first one calls, and does its share. It is ended from outside. */
/// <reference lib="webworker" />
import { PACKED, type Kernels } from "./modules";

export interface Joining {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Where its stack begins; every instance believes that it has the first one's. */
  stack: number;
  call: Int32Array;
  n: number;
  at: { a: number; b: number; c: number };
  me: number;
  of: number;
}

self.onmessage = async ({ data }: MessageEvent<Joining>) => {
  const { memory, call, n, at, me, of } = data;
  const { exports } = await WebAssembly.instantiate(data.module, { env: { memory } });
  const program = exports as unknown as Kernels;
  program.__stack_pointer.value = data.stack;
  self.postMessage("here");
  for (let job = 0; ;) {
    Atomics.wait(call, 0, job);
    job = Atomics.load(call, 0);
    program.multiply(PACKED, call[1]!, n, n, 0, at.a, at.b, at.c, me, of);
  }
};
