// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Stage | Layout | Fits | Values;
}
export interface Params {
  kernel: "add" | "softmax" | "matmul";
  /**
   * Elements of a block; for the product, its rows and columns.
   */
  block: "16" | "32" | "64" | "128" | "256" | "512" | "1024";
  warps: "1" | "2" | "4" | "8";
  /**
   * How many iterations of the loop are in flight at once.
   */
  stages: number;
  /**
   * Ampere, Hopper and Blackwell.
   */
  target: "sm_80" | "sm_90" | "sm_100";
  /**
   * Triton compiles a specialised kernel for such n.
   */
  multiple: boolean;
}
/**
 * The kernel in the language of one stage.
 */
export interface Stage {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "stage";
  stage: "source" | "ttir" | "ttgir" | "llir" | "ptx" | "sass";
  source: string[];
  /**
   * Line of the source that is followed, from 1
   */
  focus: number;
  rows: Row[];
  /**
   * of the whole stage
   */
  lines: number;
  /**
   * of them, those that come from a line of the source
   */
  traced: number;
  counts: Count[];
}
export interface Row {
  text: string;
  line: number;
  more: number;
}
export interface Count {
  name: string;
  count: number;
}
/**
 * Which thread holds which element of a block.
 */
export interface Layout {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "layout";
  stage: "layout";
  source: string[];
  /**
   * Line of the source that is followed, from 1
   */
  focus: number;
  role: "loads" | "sums" | "stores";
  /**
   * In TTGIR
   */
  name: string;
  attribute: string;
  shape: number[];
  /**
   * Elements in a row of the picture
   */
  columns: number;
  /**
   * [elements] of the part that is drawn: the first warp that holds it
   */
  warps: NdArray<Uint8Array>;
  /**
   * [elements] its lane
   */
  lanes: NdArray<Uint8Array>;
  /**
   * [elements] which of the thread's values it is
   */
  registers: NdArray<Uint8Array>;
  /**
   * values that a thread holds
   */
  each: number;
  /**
   * threads that hold one element
   */
  copies: number;
  /**
   * neighbours along the last axis that a thread holds together
   */
  run: number;
}
/**
 * How many blocks a multiprocessor runs at once.
 */
export interface Fits {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "fits";
  stage: "fits";
  source: string[];
  /**
   * Line of the source that is followed, from 1
   */
  focus: number;
  /**
   * registers of a thread
   */
  taken: number;
  /**
   * bytes of a thread's stack, in memory
   */
  spilled: number;
  /**
   * bytes of a block that the kernel asks for
   */
  shared: number;
  limits: Limit[];
  tightest: "warps" | "registers" | "shared memory" | "tensor memory" | "blocks";
  /**
   * at once on a multiprocessor; 0 where it does not start
   */
  blocks: number;
  /**
   * warps at once on a multiprocessor
   */
  running: number;
  /**
   * warps that a multiprocessor has room for
   */
  most: number;
}
/**
 * What one multiprocessor has, and how many blocks that is enough for.
 */
export interface Limit {
  name: "warps" | "registers" | "shared memory" | "tensor memory" | "blocks";
  needs: number;
  has: number;
  blocks: number;
}
/**
 * What the kernel computes, in Triton's interpreter.
 */
export interface Values {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "values";
  stage: "values";
  source: string[];
  /**
   * Line of the source that is followed, from 1
   */
  focus: number;
  n: number;
  programs: number;
  type: string;
  /**
   * [first elements] from the interpreter
   */
  got: NdArray<Float32Array>;
  /**
   * [first elements] in float64
   */
  exact: NdArray<Float32Array>;
  elements: number;
  /**
   * the largest difference of all
   */
  off: number;
  largest: number;
  /**
   * whether memory behind the result is as it was
   */
  untouched: boolean;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.kernel": ["add", "softmax", "matmul"],
  "Params.block": ["16", "32", "64", "128", "256", "512", "1024"],
  "Params.warps": ["1", "2", "4", "8"],
  "Params.target": ["sm_80", "sm_90", "sm_100"],
  "Stage.stage": ["source", "ttir", "ttgir", "llir", "ptx", "sass"],
  "Layout.role": ["loads", "sums", "stores"],
  "Fits.tightest": ["warps", "registers", "shared memory", "tensor memory", "blocks"],
  "Limit.name": ["warps", "registers", "shared memory", "tensor memory", "blocks"],
} as const;
