// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * Parentheses; letters a to c, then dots; or passengers in each month.
   */
  sequence: string;
  /**
   * Closed, they forget everything; open, they keep everything.
   */
  forget: "trained" | "closed" | "open";
  input: "trained" | "closed" | "open";
  output: "trained" | "closed" | "open";
  /**
   * As in equations whose gates read x alone.
   */
  drop_h: boolean;
}
/**
 * One equation of one step. The strips hold the whole run; ``at`` and ``stage`` say how far it has come.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "forget" | "input" | "candidate" | "cell" | "output" | "hidden" | "answer";
  /**
   * The step, counted from 0
   */
  at: number;
  task: "parentheses" | "copy" | "passengers";
  /**
   * What is read at each step
   */
  symbols: string[];
  /**
   * [steps, units] 0 to 1 as 0 to 254
   */
  forget: NdArray<Uint8Array>;
  /**
   * [steps, units] likewise
   */
  input: NdArray<Uint8Array>;
  /**
   * [steps, units] −1 to 1 as 127 ± 127
   */
  candidate: NdArray<Uint8Array>;
  /**
   * [steps, units] −peak to peak as 127 ± 127
   */
  cell: NdArray<Uint8Array>;
  /**
   * [steps, units] 0 to 1 as 0 to 254
   */
  output: NdArray<Uint8Array>;
  /**
   * [steps, units] −1 to 1 as 127 ± 127
   */
  hidden: NdArray<Uint8Array>;
  /**
   * The largest cell state of the run, in magnitude; 1 at least
   */
  peak: number;
  /**
   * [6, units] this step's, as the equations give them
   */
  values: NdArray<Float32Array, ["value", "unit"]>;
  /**
   * [units] the cell state that this step found
   */
  before: NdArray<Float32Array>;
  /**
   * [steps] how many are open, the place of the letter, or thousands of passengers next month; else NaN
   */
  answers: NdArray<Float32Array>;
  /**
   * [steps] what is right, likewise
   */
  targets: NdArray<Float32Array>;
  /**
   * The answers in words; empty where none is asked for
   */
  said: string[];
  wanted: string[];
  /**
   * The unit whose memory moves most from step to step
   */
  busiest: number;
  /**
   * Mean distance of answers from what is right, or the share of letters that are wrong
   */
  off: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.forget": ["trained", "closed", "open"],
  "Params.input": ["trained", "closed", "open"],
  "Params.output": ["trained", "closed", "open"],
  "Picture.stage": ["forget", "input", "candidate", "cell", "output", "hidden", "answer"],
  "Picture.task": ["parentheses", "copy", "passengers"],
} as const;
