// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Surface;
}
export interface Params {
  /**
   * A strip is as high as a tile in registers.
   */
  strips: 1 | 2 | 4 | 8 | 16 | 32;
  deep: 8 | 16 | 32 | 64 | 128 | 256 | 512;
  n: number;
  repetitions: number;
}
/**
 * What the model predicts, and the medians of the turns so far.
 */
export interface Surface {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "surface";
  stage: "predicted" | "measuring" | "measured";
  /**
   * heights of a block of A, as far as the matrix is as high
   */
  strips: number[];
  /**
   * rows of a strip
   */
  strip: number;
  /**
   * columns of a block of A, as far as the matrix is as wide
   */
  depths: number[];
  /**
   * [depths, strips] milliseconds of the product by the model
   */
  predicted: NdArray<Float32Array, ["deep", "high"]>;
  /**
   * [depths, strips] milliseconds of the product, medians of the turns so far; NaN before the first
   */
  took: NdArray<Float32Array, ["deep", "high"]>;
  /**
   * [2] row and column of the reader's block, or of the largest that fits into the matrix
   */
  chosen: NdArray<Int32Array, ["side"]>;
  /**
   * [2] row and column of the block with the shortest time: predicted, until it is measured
   */
  best: NdArray<Int32Array, ["side"]>;
  /**
   * GFLOP/s of multiply-adds in registers on one thread
   */
  peak: number;
  /**
   * bytes of arrays that were read
   */
  sizes: number[];
  /**
   * [sizes] GB/s read from an array of that size
   */
  bandwidth: NdArray<Float32Array, ["size"]>;
  n: number;
  /**
   * Turns so far
   */
  turns: number;
  repetitions: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.strips": [1, 2, 4, 8, 16, 32],
  "Params.deep": [8, 16, 32, 64, 128, 256, 512],
  "Surface.stage": ["predicted", "measuring", "measured"],
} as const;
