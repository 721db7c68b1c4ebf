// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Moment;
}
export interface Params {
  /**
   * A bucket leaves when it has reached this size. The default is 25 MiB, and 1 MiB for the first.
   */
  bucket: "every parameter" | "1 MiB" | "2 MiB" | "4 MiB" | "default";
  /**
   * Of each message in the ring.
   */
  delay: number;
  /**
   * Of each process. Waiting imitates a network that is slower than the loopback.
   */
  link: "loopback" | "10 Gbit/s" | "2.5 Gbit/s" | "1 Gbit/s";
  /**
   * The last process pauses this long in each layer of backward.
   */
  straggler: number;
  processes: 2 | 3 | 4;
  /**
   * Each has 1 MiB of weights.
   */
  layers: number;
  repetitions: number;
}
/**
 * One training step up to a moment, and what all steps came to. Times are milliseconds of that step.
 */
export interface Moment {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "moment";
  stage: "backward" | "exchange" | "compared";
  now: number;
  /**
   * When the last process had all averages
   */
  end: number;
  /**
   * As in the model's state: layer, from 1, and parameter; in the order in which the first process had them
   */
  gradients: string[];
  /**
   * [gradients] the layer of each
   */
  layers: NdArray<Uint8Array, ["gradient"]>;
  /**
   * [gradients] how large each is
   */
  kib: NdArray<Float32Array, ["gradient"]>;
  /**
   * [gradients] the bucket of each, from 0, in the order in which they leave
   */
  home: NdArray<Uint8Array, ["gradient"]>;
  /**
   * [gradients] when each was there, on the first process
   */
  ready: NdArray<Float32Array, ["gradient"]>;
  /**
   * [buckets] KiB in each
   */
  buckets: NdArray<Float32Array, ["bucket"]>;
  /**
   * [processes, 1 + layers, 2] when the forward pass, and backward through each layer from the last, went on
   */
  compute: NdArray<Float32Array, ["process", "part", "edge"]>;
  /**
   * [processes, buckets, 3] when a bucket was full, when all had begun on it, and when it was averaged
   */
  network: NdArray<Float32Array, ["process", "bucket", "edge"]>;
  ways: string[];
  /**
   * [ways, 3] milliseconds of a step, on the slowest process
   */
  took: NdArray<Float32Array, ["way", "quartile"]>;
  /**
   * Milliseconds in which the network moved buckets, in the drawn step on the first process
   */
  busy: number;
  /**
   * Milliseconds of these in which backward still went on
   */
  hidden: number;
  /**
   * [3] the share hidden over busy, of all processes, over the repetitions
   */
  overlap: NdArray<Float32Array, ["quartile"]>;
  /**
   * MiB that each process sent in a step
   */
  sent: number;
  /**
   * Whether all processes have the same bits in every gradient
   */
  processes_agree: boolean;
  /**
   * Share of numbers with the bits of one process that takes the shares of the batch one after the other
   */
  same_bits: number;
  /**
   * How much of the bound on rounding the largest difference to that process is; 0 for the same bits
   */
  of_bound: number;
  /**
   * The same as `same_bits` for one process that takes the whole batch at once
   */
  whole_same_bits: number;
  /**
   * [2] relative distance to the gradient in float64, of the processes and of the whole batch at once
   */
  error: NdArray<Float32Array, ["of"]>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.bucket": ["every parameter", "1 MiB", "2 MiB", "4 MiB", "default"],
  "Params.link": ["loopback", "10 Gbit/s", "2.5 Gbit/s", "1 Gbit/s"],
  "Params.processes": [2, 3, 4],
  "Moment.stage": ["backward", "exchange", "compared"],
} as const;
