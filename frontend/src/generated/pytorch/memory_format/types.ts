// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Chain;
}
export interface Params {
  input: "contiguous" | "channels_last";
  weights: "contiguous" | "channels_last";
  /**
   * Between the two convolutions.
   */
  middle: "shuffle_by_hand" | "channel_shuffle" | "layer_norm" | "nothing";
  place: "nowhere" | "at_the_input" | "before_the_middle" | "after_the_middle" | "before_flatten";
  convert: "contiguous" | "channels_last";
  channels: 1 | 4 | 8 | 16 | 32 | 64;
  size: 1 | 8 | 16 | 32 | 56;
  batch: number;
  pool: 1 | 2 | 4;
  /**
   * x.view(n, -1), which never copies.
   */
  view: boolean;
}
/**
 * The network, and what is known of each line.
 */
export interface Chain {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "chain";
  stage: "layouts" | "copies" | "time" | "inside" | "whole";
  /**
   * Which line is looked at
   */
  at: number;
  ops: Op[];
  /**
   * Of so many lines the copies are known
   */
  watched: number;
  /**
   * Channels, height, width of the tensor that is drawn
   */
  tiny: number[];
  /**
   * [numbers] which lies where, before the line: index in the drawn tensor as it was at first
   */
  reads: NdArray<Int32Array>;
  /**
   * [numbers] after it; empty where nothing of them is left
   */
  writes: NdArray<Int32Array>;
  /**
   * In all lines watched so far
   */
  copies: number;
  /**
   * Bytes in them
   */
  copied: number;
  /**
   * [lines, 3] milliseconds; NaN where not yet measured
   */
  took: NdArray<Float32Array, ["op", "quartile"]>;
  /**
   * [lines, 3] milliseconds of the copies alone; NaN where there are none, or not yet measured
   */
  copying: NdArray<Float32Array, ["op", "quartile"]>;
  /**
   * [2, 3] milliseconds of the first convolution, all in one format; NaN until measured
   */
  inside: NdArray<Float32Array, ["format", "quartile"]>;
  /**
   * [4, 3] milliseconds of all lines, by the formats of input and weights; NaN until measured
   */
  whole: NdArray<Float32Array, ["formats", "quartile"]>;
}
/**
 * One line of the network.
 */
export interface Op {
  name: string;
  line: string;
  shape: number[];
  strides: number[];
  before: string;
  after: string;
  shares: boolean;
  kernel: string;
  visible_bytes: number;
  inside_bytes: number;
  weights_copied: boolean;
  error: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.input": ["contiguous", "channels_last"],
  "Params.weights": ["contiguous", "channels_last"],
  "Params.middle": ["shuffle_by_hand", "channel_shuffle", "layer_norm", "nothing"],
  "Params.place": ["nowhere", "at_the_input", "before_the_middle", "after_the_middle", "before_flatten"],
  "Params.convert": ["contiguous", "channels_last"],
  "Params.channels": [1, 4, 8, 16, 32, 64],
  "Params.size": [1, 8, 16, 32, 56],
  "Params.pool": [1, 2, 4],
  "Chain.stage": ["layouts", "copies", "time", "inside", "whole"],
} as const;
