/** The product by several workers that share a memory, and meet in it: the WebAssembly of one thread with more of them. */
import type { Joining } from "./member.worker";
import { module, PACKED, type Kernels } from "./modules";
import { got, places, put } from "./wasm";
import { Missing, type Operands, type Work } from "./work";

const PAGES = 1024; // as many as the module may have: 64 MiB
const STACK = 1 << 15; // bytes for each member but the first

export async function threads({ n, threads: of, a, b }: Operands): Promise<Work> {
  if (typeof SharedArrayBuffer === "undefined")
    throw new Missing("this page may not share memory between threads (no SharedArrayBuffer)");
  const cores = navigator.hardwareConcurrency;
  if (of > cores)
    throw new Missing(`this browser lends ${cores} ${cores === 1 ? "core" : "cores"}, not ${of}`);
  const compiled = await module("threads");
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true });
  const { exports } = await WebAssembly.instantiate(compiled, { env: { memory } });
  const program = exports as unknown as Kernels;
  const at = places(program, n);
  put(memory, at.a, a);
  put(memory, at.b, b);

  // What the members wait for: the number of the job, and its rounds.
  const call = new Int32Array(new SharedArrayBuffer(8));
  const members = Array.from(
    { length: of - 1 },
    () => new Worker(new URL("./member.worker.ts", import.meta.url), { type: "module" }),
  );
  const close = () => members.forEach((member) => member.terminate());
  try {
    await Promise.all(
      members.map((member, index) => {
        const me = index + 1;
        const stack = at.end + me * STACK;
        return joined(member, { module: compiled, memory, stack, call, n, at, me, of });
      }),
    );
  } catch (error) {
    close();
    throw error;
  }
  return {
    run(rounds) {
      call[1] = rounds;
      Atomics.add(call, 0, 1);
      Atomics.notify(call, 0);
      program.multiply(PACKED, rounds, n, n, 0, at.a, at.b, at.c, 0, of); // returns when all have met
    },
    product: () => got(memory, at.c, n * n),
    close,
  };
}

function joined(member: Worker, joining: Joining): Promise<void> {
  return new Promise((resolve, reject) => {
    member.onmessage = () => resolve();
    member.onerror = (event) => reject(new Error(event.message || "a thread could not be started"));
    member.postMessage(joining);
  });
}
