/** The reader's own device, as a lab in Python sees it (labs/speed/matmul_device/device.py): its ways of multiplying
 *  matrices, and a stopwatch for each of them. The worker that runs Python loads it when a lab asks for it. */
import type { PyProxy } from "pyodide/ffi";
import { tick } from "./clock";
import { javascript } from "./javascript";
import { LOOPS, PACKED, vectors } from "./modules";
import { threads } from "./threads";
import { peak, wasm } from "./wasm";
import { graphics, webgpu } from "./webgpu";
import { Missing, type Operands, type Work } from "./work";

const WAYS: Record<string, (operands: Operands) => Work | Promise<Work>> = {
  javascript,
  loops: (operands) => wasm("scalar", LOOPS, operands),
  scalar: (operands) => wasm("scalar", PACKED, operands),
  vectors: (operands) => wasm("vectors", PACKED, operands),
  threads,
  naive: (operands) => webgpu("naive", operands),
  tiled: (operands) => webgpu("tiled", operands),
  registers: (operands) => webgpu("registers", operands),
};

/** `wanted` says whether the run that asked still is: a measurement nobody waits for must not hold up the next.
 *  `breathe` lets messages in. It is the worker's own: to import it here would be to load the worker where there is none. */
export async function device(wanted: () => boolean, breathe: () => Promise<void>) {
  const simd = await vectors();
  const timed = (work: Work) => ({
    /** Seconds that so many rounds took. */
    async clocked(rounds: number): Promise<number> {
      await breathe();
      if (!wanted()) throw new Error("nobody waits for this any more");
      const begun = performance.now();
      await work.run(rounds);
      return (performance.now() - begun) / 1000;
    },
    product: async () => work.product(),
    close: () => work.close(),
  });
  return {
    tick,
    breathe,
    vectors: simd,
    graphics,
    /** The work of a way, or why it cannot be had here. */
    async start(way: string, n: number, rows: number, threads: number, a: PyProxy, b: PyProxy) {
      try {
        const operands = { n, rows, threads, a: taken(a), b: taken(b) };
        return timed(await WAYS[way]!(operands));
      } catch (error) {
        // A browser refuses memory, workers and pipelines with errors of many kinds: the row of this way says which.
        return error instanceof Missing ? error.message : `this browser refused: ${(error as Error).message}`;
      }
    },
    /** As work that can be timed; `flops` are the floating-point operations of a round. */
    async peak() {
      const work = await peak(simd === "no SIMD" ? "scalar" : "vectors");
      return { ...timed(work), flops: work.flops };
    },
  };
}

/** The numbers of a NumPy array, out of Python's memory. */
function taken(array: PyProxy): Float32Array<ArrayBuffer> {
  const view = (
    array as PyProxy & { getBuffer(type: "f32"): { data: Float32Array; release(): void } }
  ).getBuffer("f32");
  const numbers = new Float32Array(view.data);
  view.release();
  return numbers;
}
