// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * At 0 the forget gates are half open, at 3 they are 95 % open.
   */
  forget_bias: number;
  /**
   * Of the recurrent weights: how much their strongest direction grows each step.
   */
  radius: number;
  steps: number;
  inputs: number;
  /**
   * Largest norm allowed for the gradient of the recurrent weights; 0 does not clip.
   */
  clip: number;
  hidden: number;
  seed: number;
}
/**
 * All numbers are in every picture; ``stage`` and ``at`` say how far the story has come. Step 0 is before the
 * first input, the last one is where the loss reads.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "forward" | "backward" | "clip";
  /**
   * The step whose state was computed last, or whose gradient has arrived last.
   */
  at: number;
  steps: number;
  /**
   * [steps + 1, units] hidden states of −1 to 1 as 127 ± 127
   */
  plain_states: NdArray<Uint8Array>;
  /**
   * [steps + 1, units] cell states, squashed by tanh, likewise
   */
  lstm_states: NdArray<Uint8Array>;
  /**
   * [steps + 1, units] the gradient along each unit, its fourth root as 0 to 254; 254 is 1 or more
   */
  plain_messages: NdArray<Uint8Array>;
  /**
   * [steps + 1, units] likewise, along the cell state
   */
  lstm_messages: NdArray<Uint8Array>;
  /**
   * [steps + 1] length of the gradient along the hidden state; 1 at the end
   */
  plain_left: NdArray<Float32Array>;
  /**
   * [steps + 1] length of the gradient along the cell state; 1 at the end
   */
  lstm_left: NdArray<Float32Array>;
  /**
   * [steps + 1] the part of it that the forget gates alone hand on
   */
  lstm_direct: NdArray<Float32Array>;
  /**
   * [steps + 1] what forget gates at their bias would hand on: its sigmoid to the power of the steps
   */
  expected: NdArray<Float32Array>;
  /**
   * The sigmoid of the forget bias
   */
  gate: number;
  /**
   * [steps] length of what each step from 1 on adds to the gradient of the plain cell's recurrent weights
   */
  plain_shares: NdArray<Float32Array>;
  /**
   * [steps] likewise of the LSTM's
   */
  lstm_shares: NdArray<Float32Array>;
  /**
   * Length of the whole gradient of the recurrent weights
   */
  plain_total: number;
  lstm_total: number;
  /**
   * What it is multiplied by to be no longer than allowed; 1 leaves it as it is
   */
  plain_clip: number;
  lstm_clip: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Picture.stage": ["forward", "backward", "clip"] } as const;
