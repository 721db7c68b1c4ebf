// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Roof;
}
export interface Params {
  /**
   * Which of the caches holds it depends on the processor; none holds the largest.
   */
  size: "16 KiB" | "256 KiB" | "4 MiB" | "256 MiB";
  /**
   * Their rows and columns.
   */
  n: number;
  repetitions: number;
}
/**
 * One more roof or point is measured.
 */
export interface Roof {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "roof";
  /**
   * What was measured just now.
   */
  stage: string;
  /**
   * GFLOP/s of multiply-adds in registers; None where not yet measured
   */
  peak: number | null;
  /**
   * Arrays, from the smallest
   */
  sizes: string[];
  /**
   * [sizes] GB/s read from an array of that size; NaN where not yet measured
   */
  bandwidth: NdArray<Float32Array, ["size"]>;
  /**
   * Programs
   */
  points: string[];
  /**
   * [points] operations for each byte that has to be read or written at least once
   */
  intensity: NdArray<Float32Array, ["point"]>;
  /**
   * [points, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not yet measured
   */
  speed: NdArray<Float32Array, ["point", "quartile"]>;
  /**
   * The array of the polynomials
   */
  size: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.size": ["16 KiB", "256 KiB", "4 MiB", "256 MiB"] } as const;
