// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Snapshot;
}
export interface Params {
  /**
   * Of the sequences: all the longest; drawn from half of that up; or drawn, then sorted.
   */
  length: "equal" | "varying" | "growing";
  memory: number;
  batch: number;
  longest: number;
  steps: number;
  seed: number;
  device: "cuda";
}
/**
 * A GPU after some requests, as PyTorch's snapshot has it.
 */
export interface Snapshot {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "state";
  /**
   * weights, step 1, step 2, …, out of memory, end
   */
  stage: string;
  /**
   * batch, forward, backward or update
   */
  phase: string;
  /**
   * How long the sequences of this step are; 0 before the first
   */
  tokens: number;
  /**
   * [segments] small, expandable, or the size in MiB of a segment of the large pool
   */
  segments: string[];
  /**
   * [segments] the stream that each belongs to
   */
  streams: NdArray<Uint8Array>;
  /**
   * [segments] what of them is mapped
   */
  segment_sizes: NdArray<Int32Array>;
  /**
   * [blocks] the segment in which each lies
   */
  segment_of: NdArray<Uint8Array>;
  /**
   * [blocks] addresses
   */
  starts: NdArray<Int32Array>;
  /**
   * [blocks] rounded up
   */
  sizes: NdArray<Int32Array>;
  /**
   * [blocks] 0 free, 1 in use, 2 freed and waiting for another stream
   */
  state: NdArray<Uint8Array>;
  /**
   * [blocks] 0 weights, 1 batch, 2 activations, 3 gradients of activations, 4 gradients of weights
   */
  group: NdArray<Uint8Array>;
  /**
   * [blocks] the operator that made what is in it; empty where it is free
   */
  owners: string[];
  /**
   * The start of the block that the last request got; -1 if it got none
   */
  taken: number;
  /**
   * MiB that the last request asked for
   */
  wanted: number;
  /**
   * MiB that the device has
   */
  device: number;
  /**
   * MiB in blocks in use
   */
  allocated: number;
  /**
   * MiB in all segments
   */
  reserved: number;
  /**
   * MiB reserved, but not allocated
   */
  unallocated: number;
  /**
   * MiB that the device still has
   */
  unreserved: number;
  /**
   * MiB in the largest free block
   */
  largest: number;
  /**
   * MiB in blocks that wait for another stream
   */
  waiting: number;
  /**
   * MiB, the most that was allocated so far
   */
  peak: number;
  /**
   * MiB, the most that was reserved so far
   */
  peak_reserved: number;
  /**
   * Requests and frees so far
   */
  requests: number;
  /**
   * How often the device was asked for memory, with success, so far
   */
  device_calls: number;
  /**
   * MiB that were given back to the device so far
   */
  returned: number;
  /**
   * What PyTorch says if a request fails
   */
  message: string;
  /**
   * [pictures so far] requests and frees by then
   */
  at: NdArray<Int32Array>;
  /**
   * [pictures so far, 2] MiB allocated and reserved
   */
  over_time: NdArray<Float32Array, ["picture", "series"]>;
  /**
   * Requests and frees in the whole run, if nothing fails
   */
  total_requests: number;
  gpu: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.length": ["equal", "varying", "growing"] } as const;
