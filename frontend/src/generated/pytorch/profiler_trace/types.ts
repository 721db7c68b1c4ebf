// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Trace;
}
export interface Params {
  /**
   * A, B and C each do one thing slowly. Find out what.
   */
  program: "healthy" | "A" | "B" | "C";
  /**
   * Steps without the profiler.
   */
  wait: number;
  /**
   * Steps that are recorded and thrown away.
   */
  warmup: number;
  /**
   * Steps that are recorded.
   */
  active: number;
  /**
   * Every fourth step validates.
   */
  steps: number;
  /**
   * Types and shapes of inputs.
   */
  record_shapes: boolean;
  /**
   * Python functions, too.
   */
  with_stack: boolean;
  /**
   * This gives away what A, B and C do.
   */
  compare: boolean;
}
/**
 * A recording, as far as it is known.
 */
export interface Trace {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "trace";
  stage: "schedule" | "trace" | "self" | "cost" | "compared";
  steps: Step[];
  /**
   * Of spans
   */
  names: string[];
  /**
   * [names] a span that the program or the optimizer names, an operator, a node of the graph, or a function
   */
  sorts: ("annotation" | "operator" | "backward" | "Python")[];
  /**
   * [spans] which of the names
   */
  name: NdArray<Int32Array>;
  /**
   * [spans] nanoseconds from the first beginning on; sorted by threads, then by time
   */
  start: NdArray<Int32Array>;
  /**
   * [spans] nanoseconds from beginning to end
   */
  took: NdArray<Int32Array>;
  /**
   * [spans] nanoseconds of these that are in no inner span
   */
  own: NdArray<Int32Array>;
  /**
   * [spans] how many spans it lies in
   */
  depth: NdArray<Uint8Array>;
  /**
   * [spans] which thread, from 0
   */
  thread: NdArray<Uint8Array>;
  /**
   * Types and shapes of an operator's tensors; the first is empty
   */
  shapes: string[];
  /**
   * [spans] which of the shapes; all 0 where none were recorded
   */
  shape: NdArray<Int32Array>;
  /**
   * Nanoseconds at which the last span ends
   */
  end: number;
  /**
   * The shortest spans, which are not in the arrays
   */
  left_out: number;
  /**
   * The name to look at; -1 for none
   */
  lit: number;
  /**
   * Of the names with the most time of their own
   */
  rows: Row[];
  /**
   * [4, 3] milliseconds of a step without the profiler, with it, with shapes, with stacks; NaN until measured
   */
  cost: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [4] spans of such a step
   */
  spans: NdArray<Int32Array, ["way"]>;
  /**
   * From the healthy program, the largest first
   */
  differences: Difference[];
}
export interface Step {
  number: number;
  phase: "wait" | "warmup" | "active" | "after";
  ms: number;
}
/**
 * All spans of a name.
 */
export interface Row {
  at: number;
  name: string;
  calls: number;
  own: number;
  total: number;
  share: number;
}
/**
 * Self time of a name in a step, the least of five runs in turns.
 */
export interface Difference {
  name: string;
  here: number;
  healthy: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.program": ["healthy", "A", "B", "C"],
  "Trace.stage": ["schedule", "trace", "self", "cost", "compared"],
  "Trace.sorts": ["annotation", "operator", "backward", "Python"],
  "Step.phase": ["wait", "warmup", "active", "after"],
} as const;
