// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Served;
}
export interface Params {
  /**
   * “usual”: it spins for a while, then sleeps; or it spins for long, or sleeps at once.
   */
  wait: "usual" | "spin" | "sleep";
  /**
   * Of each request.
   */
  tokens: number;
  /**
   * In each turn, every combination is measured once.
   */
  turns: number;
}
/**
 * So many workers served with so many threads each.
 */
export interface Served {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "served";
  workers: number;
  /**
   * Of each worker.
   */
  threads: number;
  /**
   * That this run may use.
   */
  cores: number;
  /**
   * Numbers of workers, and of threads, that were tried.
   */
  counts: string[];
  /**
   * [counts, counts, 3] requests a second, by workers and threads
   */
  rate: NdArray<Float32Array, ["worker", "thread", "quartile"]>;
  /**
   * [counts, counts] of the highest rate
   */
  share: NdArray<Float32Array, ["worker", "thread"]>;
  /**
   * [counts, counts] milliseconds that half of the requests took at most
   */
  latency: NdArray<Float32Array, ["worker", "thread"]>;
  /**
   * [counts, counts] milliseconds for which a request kept a core busy, all threads together
   */
  busy: NdArray<Float32Array, ["worker", "thread"]>;
  /**
   * Workers and threads with the highest rate.
   *
   * @minItems 2
   * @maxItems 2
   */
  best: [number, number];
  /**
   * Milliseconds in which requests began
   */
  window: number;
  /**
   * [spans] who served
   */
  worker: NdArray<Uint8Array>;
  /**
   * [spans] milliseconds from the start of the median turn
   */
  begin: NdArray<Float32Array>;
  /**
   * [spans] milliseconds from the start of the median turn
   */
  end: NdArray<Float32Array>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Params.wait": ["usual", "spin", "sleep"] } as const;
