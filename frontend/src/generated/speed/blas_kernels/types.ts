// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Kernels;
}
export interface Params {
  n: number;
  repetitions: number;
}
/**
 * One more kernel was asked for.
 */
export interface Kernels {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "kernels";
  /**
   * The way that was measured just now.
   */
  stage: string;
  names: string[];
  /**
   * [ways] What it uses
   */
  says: string[];
  /**
   * [ways] Numbers in a vector; of ours, as many as this processor has
   */
  lanes: number[];
  /**
   * [ways] Whether one instruction multiplies and adds
   */
  fused: boolean[];
  /**
   * [ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not measured
   */
  speed: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * [ways] largest difference from the product in float64, as a share of its largest number
   */
  error: NdArray<Float32Array, ["way"]>;
  /**
   * The kernel that the library picks by itself.
   */
  picked: string;
  /**
   * The fastest over what the library picks
   */
  gain: number | null;
  /**
   * GFLOP/s of multiply-adds in registers on one thread
   */
  peak: number;
  n: number;
  repetitions: number;
}

export type Event = Lab["event"];
