// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Serving;
}
export interface Params {
  /**
   * One at a time, in static batches, by continuous batching, and with a paged cache.
   */
  way: "single" | "static" | "continuous" | "paged";
  /**
   * The model continues it, one character at a time.
   */
  prompt: string;
  readers: number;
  /**
   * On average; 0 is all at once.
   */
  gap: number;
  /**
   * Of 16 positions each, for keys and values.
   */
  blocks: number;
  /**
   * Answers written at once, as far as the memory allows.
   */
  lanes: number;
  /**
   * One for each answer; the rest are for prompts.
   */
  rows: number;
  /**
   * “memory”: each step reads another copy, as if the weights did not fit in the cache.
   */
  weights: "memory" | "cache";
  /**
   * At 0, the model always takes the likeliest character.
   */
  temperature: number;
  seed: number;
}
/**
 * How things stand after a step of the server.
 */
export interface Serving {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "serving";
  stage: "serving" | "served";
  way: "single" | "static" | "continuous" | "paged";
  lane_count: number;
  /**
   * Milliseconds since the start.
   */
  clock: number;
  /**
   * Milliseconds that all of it takes.
   */
  span: number;
  step: number;
  steps: number;
  /**
   * Tokens that this step computed, of prompts and of answers.
   */
  rows: number;
  /**
   * The reader's own.
   */
  prompt: string;
  /**
   * To the reader's own prompt, so far.
   */
  answer: string;
  /**
   * [requests] 0 a short answer, 1 a long one
   */
  classes: NdArray<Uint8Array>;
  /**
   * [requests] tokens of the prompt
   */
  prompts: NdArray<Int32Array>;
  /**
   * [requests] tokens of the answer, in the end
   */
  wanted: NdArray<Int32Array>;
  /**
   * [requests] tokens whose keys and values are in the cache now
   */
  computed: NdArray<Int32Array>;
  /**
   * [requests] tokens of the answer so far
   */
  answered: NdArray<Int32Array>;
  /**
   * [requests] 0 not yet here, 1 waits, 2 its prompt is computed, 3 its answer, 4 done
   */
  state: NdArray<Uint8Array>;
  /**
   * [requests] its lane; -1 if it has none
   */
  lanes: NdArray<Int32Array>;
  /**
   * [requests] the end of its prompt and answer so far
   */
  tails: string[];
  /**
   * [stays] whose
   */
  stay_request: NdArray<Uint8Array>;
  /**
   * [stays] where
   */
  stay_lane: NdArray<Uint8Array>;
  /**
   * [stays, 3] milliseconds
   */
  stays: NdArray<Float32Array, ["stay", "moment"]>;
  /**
   * [blocks] the request that holds it, the first if several do; -1 if nobody does
   */
  owner: NdArray<Int32Array>;
  /**
   * [blocks] requests that hold it
   */
  holders: NdArray<Uint8Array>;
  /**
   * [blocks] positions with keys and values, of 16
   */
  filled: NdArray<Uint8Array>;
  ways: string[];
  /**
   * [ways] tokens of answers in a second
   */
  speed: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] so many times as many tokens a second as one at a time
   */
  gain: NdArray<Float32Array, ["way"]>;
  /**
   * [ways, 2, 2] seconds from arrival to the first token; NaN if nobody asked
   */
  first: NdArray<Float32Array, ["way", "request", "percentile"]>;
  /**
   * [ways, 2, 2] seconds between two tokens of an answer
   */
  between: NdArray<Float32Array, ["way", "request", "percentile"]>;
  /**
   * [ways, 2] seconds between two tokens, of all answers
   */
  gaps: NdArray<Float32Array, ["way", "percentile"]>;
  /**
   * [ways] share of the lanes that had nothing to do, over all steps
   */
  idle: NdArray<Float32Array, ["way"]>;
  /**
   * [ways] share of the positions in held blocks that were empty, over all steps
   */
  unused: NdArray<Float32Array, ["way"]>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.way": ["single", "static", "continuous", "paged"],
  "Params.weights": ["memory", "cache"],
  "Serving.stage": ["serving", "served"],
  "Serving.way": ["single", "static", "continuous", "paged"],
} as const;
