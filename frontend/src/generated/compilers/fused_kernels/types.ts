// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Kernels;
}
export interface Params {
  program: "chain" | "squares" | "gelu" | "neuron" | "columns" | "softmax" | "layer norm" | "linear";
  /**
   * In each input; 1,024 in a row.
   */
  size: "4 K" | "64 K" | "1 M" | "16 M";
  dtype: "f32" | "bf16";
  threads: number;
  /**
   * Operations that share numbers become one kernel.
   */
  fusion: boolean;
  /**
   * Loops go through memory line by line.
   */
  order: boolean;
  /**
   * Many numbers in one instruction.
   */
  vectors: boolean;
  /**
   * Rules on the graph.
   */
  rewrites: boolean;
  /**
   * Large results are written straight to memory.
   */
  around: boolean;
  /**
   * Large inputs are requested 2 KiB before they are needed.
   */
  ahead: boolean;
  /**
   * New memory comes 2 MiB at a time, not 4 KiB.
   */
  pages: boolean;
  repetitions: number;
  seed: number;
}
/**
 * The kernels are made, or one more thing is measured.
 */
export interface Kernels {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "kernels";
  /**
   * The way that was measured just now; empty before the first
   */
  stage: string;
  program: string[];
  /**
   * Of the graph that was compiled
   */
  operations: Operation[];
  given: Given[];
  /**
   * [operations] what each takes and makes
   */
  made: Made[];
  pieces: Piece[];
  /**
   * In the order in which they are measured; those without a pass of ours begin with “without”
   */
  ways: string[];
  /**
   * [ways] what it is
   */
  says: string[];
  /**
   * [ways] the operations of each of its passes through memory; empty where that is not known
   */
  passes: number[][][];
  /**
   * [ways] numbers that one of its instructions works on; 0 where that is not known
   */
  lanes: number[];
  /**
   * Passes that change nothing in this program.
   */
  idle: string[];
  /**
   * [ways] why it cannot be had; empty if it can
   */
  missing: string[];
  /**
   * [ways, 3] of one call: what one, two and three quarters of the repetitions stayed below; NaN if unmeasured
   */
  seconds: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [ways] its median to that of ours, measured in turns with it
   */
  ratio: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] until it was ready; NaN where nothing is compiled, or unmeasured
   */
  compile_seconds: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] greatest difference from float64, as a share of the greatest number
   */
  error: NdArray<Float32Array, ["way"]>;
  /**
   * That all kernels are predicted to move
   */
  bytes: number;
  /**
   * Bytes of inputs and outputs: less cannot be moved
   */
  footprint: number;
  /**
   * GB/s of reading, or of adding two arrays, whichever is faster: of as many bytes, on as many threads
   */
  bandwidth: number | null;
  threads: number;
}
/**
 * One operation that Dynamo has seen, and its line, counted from the function's first.
 */
export interface Operation {
  name: string;
  line: number;
}
/**
 * An input of the program.
 */
export interface Given {
  name: string;
  bytes: number;
}
/**
 * What an operation makes of what it takes.
 */
export interface Made {
  takes: number[];
  bytes: number;
  result: boolean;
}
/**
 * One kernel of ours.
 */
export interface Piece {
  name: string;
  bytes: number;
  seconds: number | null;
  rows: Row[];
}
/**
 * A line of a stage.
 */
export interface Row {
  text: string;
  operations: number[];
  line: number;
  head: boolean;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.program": ["chain", "squares", "gelu", "neuron", "columns", "softmax", "layer norm", "linear"],
  "Params.size": ["4 K", "64 K", "1 M", "16 M"],
  "Params.dtype": ["f32", "bf16"],
} as const;
