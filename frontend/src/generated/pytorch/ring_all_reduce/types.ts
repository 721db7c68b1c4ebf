// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: State;
}
export interface Params {
  processes: number;
  /**
   * Star: the first process adds everything up, and sends the sum to each of the others.
   */
  way: "ring" | "tree" | "star";
  /**
   * In the array of each process.
   */
  numbers: number;
  seed: number;
}
/**
 * All processes after a step. In a step each sends at most one message, and receives at most one.
 */
export interface State {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "state";
  stage: "start" | "reduce" | "spread" | "done";
  step: number;
  /**
   * In all
   */
  steps: number;
  /**
   * That arrived in this step
   */
  messages: Message[];
  /**
   * [chunks + 1] where each begins in the array, and where the last one ends
   */
  chunks: NdArray<Int32Array>;
  /**
   * [processes, chunks] whose numbers have been added to each: bit k for process k
   */
  holds: NdArray<Uint8Array, ["process", "chunk"]>;
  /**
   * [processes, numbers] the array of each process as it is now
   */
  values: NdArray<Float32Array, ["process", "number"]>;
  /**
   * [processes] bytes that each sent so far
   */
  sent: NdArray<Int32Array, ["process"]>;
  /**
   * [processes] bytes that each received so far
   */
  received: NdArray<Int32Array, ["process"]>;
  ways: string[];
  /**
   * [ways] steps
   */
  needs: NdArray<Int32Array, ["way"]>;
  /**
   * [ways] bytes that follow one another: of the longest message in each step, added up
   */
  in_a_row: NdArray<Int32Array, ["way"]>;
  /**
   * [ways] the same in closed form, for chunks of equal size
   */
  formula: NdArray<Float32Array, ["way"]>;
  /**
   * Bytes in the array of one process
   */
  whole: number;
  /**
   * Whether all processes have the same bits
   */
  agree: boolean;
  /**
   * [numbers that differ] their places: where the first process has other bits than `in_turn`
   */
  differ: NdArray<Int32Array>;
  /**
   * [numbers] the sum from the first process to the last
   */
  in_turn: NdArray<Float32Array>;
}
export interface Message {
  key: string;
  source: number;
  target: number;
  chunk: number;
  bytes: number;
  adds: boolean;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.way": ["ring", "tree", "star"],
  "State.stage": ["start", "reduce", "spread", "done"],
} as const;
