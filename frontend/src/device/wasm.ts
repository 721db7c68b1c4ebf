/** Products by one thread of WebAssembly, and the most that one could do. */
import { module, type Kernels, type Kind } from "./modules";
import type { Operands, Work } from "./work";

const LINE = 64;
const PAGE = 1 << 16;

/** Where A, B and C lie in a memory, in bytes, behind what the program itself uses. */
export function places(program: Kernels, n: number) {
  const a = Math.ceil(program.__heap_base.value / LINE) * LINE;
  const size = Math.ceil((4 * n * n) / LINE) * LINE;
  return { a, b: a + size, c: a + 2 * size, end: a + 3 * size };
}

export function put({ buffer }: WebAssembly.Memory, at: number, numbers: Float32Array): void {
  new Float32Array(buffer, at, numbers.length).set(numbers);
}

/** A copy: the memory may be shared, and is gone with its program. */
export const got = ({ buffer }: WebAssembly.Memory, at: number, count: number): Float32Array =>
  new Float32Array(new Float32Array(buffer, at, count));

async function start(kind: Kind): Promise<Kernels> {
  const { exports } = await WebAssembly.instantiate(await module(kind));
  return exports as unknown as Kernels;
}

export async function wasm(kind: Kind, version: number, { n, rows, a, b }: Operands): Promise<Work> {
  const program = await start(kind);
  const { memory } = program;
  const at = places(program, n);
  memory.grow(Math.max(0, Math.ceil((at.end - memory.buffer.byteLength) / PAGE)));
  put(memory, at.a, a);
  put(memory, at.b, b);
  return {
    run: (rounds) => program.multiply(version, rounds, n, rows, 0, at.a, at.b, at.c, 0, 1),
    product: () => got(memory, at.c, rows * n),
    close: () => undefined,
  };
}

/** Multiply-adds in registers, with the best that there is; `flops` are the operations of a round. */
export async function peak(kind: Kind): Promise<Work & { flops: number }> {
  const program = await start(kind);
  program.memory.grow(1);
  const at = places(program, 0).a;
  return {
    flops: program.peak(1, at),
    run: (rounds) => program.peak(rounds, at),
    product: () => new Float32Array(),
    close: () => undefined,
  };
}
