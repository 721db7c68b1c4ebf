// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  server:
    "all" | "one at a time" | "thread each" | "thread pool" | "asyncio" | "uvicorn" | "asyncio, blocking";
  /**
   * As if for a database.
   */
  wait: number;
  connections: number;
  /**
   * Closed: a connection asks again when it is answered. Open: at a fixed rate.
   */
  loop: "closed" | "open";
  /**
   * Of an open loop.
   */
  rate: number;
  seconds: number;
  threads: number;
  /**
   * At most this many connections wait to be accepted.
   */
  backlog: number;
  /**
   * A connection serves many requests.
   */
  keep_alive: boolean;
  /**
   * The whole process is paused.
   */
  stall: number;
  /**
   * The answer does not say where it ends.
   */
  no_length: boolean;
  /**
   * Headers and body are sent one after the other.
   */
  two_sends: boolean;
  prints: boolean;
}
/**
 * One server under load, and what those before it came to.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "under load" | "done";
  /**
   * The server that is shown.
   */
  way: string;
  /**
   * Since its load began.
   */
  seconds: number;
  connections: number;
  /**
   * Where the picture of single requests begins, in seconds of the load.
   */
  begin: number;
  end: number;
  /**
   * [requests shown] the connection of each
   */
  number: NdArray<Uint8Array>;
  /**
   * [requests shown] seconds
   */
  due: NdArray<Float32Array>;
  /**
   * [requests shown] seconds; NaN if the connection was never made
   */
  sent: NdArray<Float32Array>;
  /**
   * [requests shown] seconds
   */
  done: NdArray<Float32Array>;
  /**
   * [requests shown] an index of `OUTCOMES`
   */
  outcome: NdArray<Uint8Array>;
  /**
   * [looks] seconds
   */
  sampled: NdArray<Float32Array>;
  /**
   * [looks] connections in the accept queue
   */
  queued: NdArray<Int32Array, ["look"]>;
  /**
   * Those that have been asked so far.
   */
  ways: string[];
  /**
   * [ways] answers a second
   */
  rate: NdArray<Float32Array, ["way"]>;
  /**
   * [ways, outcomes] requests by how they ended
   */
  answers: NdArray<Int32Array, ["way", "outcome"]>;
  /**
   * [ways, quantiles] milliseconds from when a request was due to its whole answer; NaN if there are too few
   */
  latency: NdArray<Float32Array, ["way", "quantile"]>;
  /**
   * [ways, quantiles] the same from when it was sent: what a timer in the client says
   */
  from_sent: NdArray<Float32Array, ["way", "quantile"]>;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.server": [
    "all",
    "one at a time",
    "thread each",
    "thread pool",
    "asyncio",
    "uvicorn",
    "asyncio, blocking",
  ],
  "Params.loop": ["closed", "open"],
  "Picture.stage": ["under load", "done"],
} as const;
