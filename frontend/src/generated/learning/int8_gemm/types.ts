// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Measured;
}
export interface Params {
  /**
   * With 7 bits or fewer, no pair of products saturates; on a GPU none ever does.
   */
  bits: number;
  n: number;
  /**
   * The largest matrix does not fit in a cache, even with eight bits.
   */
  vector: number;
  repetitions: number;
  seed: number;
  device: "cpu" | "cuda";
}
/**
 * The roofs, or one more product, are measured.
 */
export interface Measured {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "measured";
  /**
   * What was measured just now.
   */
  stage: string;
  /**
   * What multiplies bytes exactly on this processor, or fastest on the tensor cores of this GPU
   */
  instruction: string;
  /**
   * [3] 10⁹ operations/s that need no memory: of float32, of bytes exactly, and of bytes in pairs that saturate,
   * or on a GPU of bfloat16 on tensor cores
   */
  peaks: NdArray<Float32Array, ["number"]>;
  /**
   * GB/s at which the float32 matrix of the vector is read
   */
  bandwidth: number;
  /**
   * Products: those with a vector first
   */
  points: string[];
  /**
   * How many of them are with a vector
   */
  vectors: number;
  /**
   * [points] operations for each byte that has to be read or written at least once
   */
  intensity: NdArray<Float32Array, ["point"]>;
  /**
   * [points, 3] 10⁹ operations/s that three, two and one quarter of the repetitions reached; NaN where
   * not yet measured
   */
  speed: NdArray<Float32Array, ["point", "quartile"]>;
  /**
   * [points] 10⁹ operations/s at most: by reading as many bytes, or by the peak of the instruction
   */
  bound: NdArray<Float32Array, ["point"]>;
  /**
   * [points] median
   */
  milliseconds: NdArray<Float32Array, ["point"]>;
  /**
   * [points] with a vector, the size of the error as a share of the size of the result;
   * else the share of wrong sums
   */
  error: NdArray<Float32Array, ["point"]>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.device": ["cpu", "cuda"] } as const;
