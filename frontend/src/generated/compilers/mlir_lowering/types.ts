// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Lowered;
}
export interface Params {
  program:
    "matmul_relu" | "matmul_gelu" | "chain" | "distance" | "blur" | "softmax" | "layer_norm" | "attention";
  /**
   * Rows and columns; up to 512 by loops.
   */
  n: number;
  /**
   * For the processor by a schedule, if the program is one product, or by loops; or to a GPU's code, which is not run.
   */
  target: "schedule" | "cpu" | "gpu";
  fuse_tensors: boolean;
  /**
   * Rows × columns of the result; fit is what the registers of this processor hold.
   */
  registers: "fit" | "6 × 16" | "8 × 32" | "14 × 32" | "28 × 32";
  order: "columns outside" | "rows outside";
  /**
   * In registers for all steps of k; otherwise each step reads and writes it.
   */
  keep: boolean;
  /**
   * Copy both matrices in strips, in the order in which tiles read them.
   */
  pack: boolean;
  /**
   * Steps of k that all tiles do before any goes on; off is all of them at once.
   */
  depth: "off" | "64" | "128" | "256" | "512";
  /**
   * They share the tiles; PyTorch and our kernel get as many.
   */
  threads: number;
  /**
   * The side of a tile; for a GPU, of a block of threads.
   */
  tile: "off" | "8" | "16" | "32" | "64" | "128";
  /**
   * Maximal ignores the cost. With either choice MLIR's pass may move a read past a write: a step whose results are wrong says so.
   */
  fusion: "off" | "by cost" | "maximal";
  scalars: boolean;
  vectors: "off" | "4" | "8" | "16";
}
/**
 * The program after one more step on its way down.
 */
export interface Lowered {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "lowered";
  /**
   * What the program is written in.
   */
  stage: string;
  /**
   * The step.
   */
  name: string;
  /**
   * In MLIR's words.
   */
  passes: string[];
  /**
   * The part of the schedule that did it, in the transform dialect; empty for passes.
   */
  schedule: string[];
  /**
   * One, where the program is cut in tiles by a schedule; else none.
   */
  tiles: Held[];
  lines: Line[];
  /**
   * Lines at the end that are not shown.
   */
  left_out: number;
  new: number;
  gone: number;
  loops: Row[];
  loops_left_out: number;
  /**
   * elements that all loops together load; -1 where loops are gone or not yet there
   */
  reads: number;
  /**
   * elements that they store; -1 as above
   */
  writes: number;
  /**
   * operations on floats that they do; -1 as above
   */
  floats: number;
  /**
   * operations on floats that the result takes
   */
  work: number;
  buffers: Buffer[];
  ways: Way[];
  /**
   * GFLOP/s of multiply-adds in registers on all threads, the best so far; 0 where nothing runs
   */
  peak: number;
  /**
   * the innermost loop of a product, where a schedule has led it to blocks and jumps of LLVM; else empty
   */
  hot: Hot[];
  /**
   * instructions of the kernels by what they do; empty but for PTX
   */
  mix: Part[];
  /**
   * at the end of the road by a schedule, the road's end itself first; else empty
   */
  rivals: Rival[];
}
/**
 * The tile of the result that a program works on at a time.
 */
export interface Held {
  rows: number;
  columns: number;
  lanes: number;
  depth: number;
  times: number;
  vectors: boolean;
  kept: boolean;
  behind: boolean;
}
export interface Line {
  text: string;
  change: "same" | "new" | "gone";
}
/**
 * A loop, an operation on whole tensors, or a block of code.
 */
export interface Row {
  depth: number;
  kind: "loop" | "tile" | "vector" | "parallel" | "reduction" | "grid" | "threads" | "work" | "block";
  name: string;
  line: number;
  trips: number;
  step: number;
  reads: string[];
  writes: string[];
  to: string[];
  back: boolean;
}
export interface Buffer {
  name: string;
  shape: number[];
  bytes: number;
  role: "given" | "result" | "in between";
  kept: boolean;
}
/**
 * What a step came to when it ran.
 */
export interface Way {
  name: string;
  speed: number[];
  seconds: number;
  error: number;
  verdict: "right" | "wrong" | "broke" | "unknown";
}
/**
 * Four blocks: what comes before the loop, its head, which asks for a step more, its body, and its exit.
 */
export interface Hot {
  before: string;
  head: string;
  body: string;
  behind: string;
  rows: number;
  columns: number;
  lanes: number;
  loads: number;
  stores: number;
  copies: number;
  products: number;
  others: number;
}
/**
 * Instructions of one kind.
 */
export interface Part {
  name: string;
  count: number;
}
/**
 * What else computes a product, in turns with the machine code at the end of the road.
 */
export interface Rival {
  name: string;
  speed: number[];
  times: number[];
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.program": [
    "matmul_relu",
    "matmul_gelu",
    "chain",
    "distance",
    "blur",
    "softmax",
    "layer_norm",
    "attention",
  ],
  "Params.target": ["schedule", "cpu", "gpu"],
  "Params.registers": ["fit", "6 × 16", "8 × 32", "14 × 32", "28 × 32"],
  "Params.order": ["columns outside", "rows outside"],
  "Params.depth": ["off", "64", "128", "256", "512"],
  "Params.tile": ["off", "8", "16", "32", "64", "128"],
  "Params.fusion": ["off", "by cost", "maximal"],
  "Params.vectors": ["off", "4", "8", "16"],
  "Buffer.role": ["given", "result", "in between"],
  "Line.change": ["same", "new", "gone"],
  "Row.kind": ["loop", "tile", "vector", "parallel", "reduction", "grid", "threads", "work", "block"],
  "Way.verdict": ["right", "wrong", "broke", "unknown"],
} as const;
