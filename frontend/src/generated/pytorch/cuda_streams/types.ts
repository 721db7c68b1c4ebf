// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Moment;
}
export interface Params {
  /**
   * Kernels and copies with their µs; streams, events, waits, and printed times.
   */
  program: string;
  /**
   * The host’s time for one call.
   */
  launch: number;
  /**
   * Non-blocking, as PyTorch makes them; or as cudaStreamCreate does.
   */
  streams: "non-blocking" | "blocking";
  /**
   * The legacy default stream and blocking streams wait for each other.
   */
  default_stream: "legacy" | "per-thread";
  /**
   * The host waits for each kernel and copy that it launches.
   */
  launch_blocking: boolean;
}
/**
 * All that has happened up to a moment.
 */
export interface Moment {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "moment";
  /**
   * Who did something: the host a line, the device an operation
   */
  stage: "host" | "device" | "stopped";
  /**
   * Of the program
   */
  line: number;
  /**
   * µs
   */
  now: number;
  /**
   * µs of the whole run
   */
  end: number;
  /**
   * The lanes
   */
  streams: string[];
  /**
   * [streams] kernels and copies in the queue that have not started
   */
  waiting: number[];
  host: Span[];
  work: Work[];
  arrows: Arrow[];
  /**
   * How much of the device kernels take
   */
  compute: Busy[];
  conflicts: Conflict[];
  /**
   * That are not listed
   */
  more_conflicts: number;
  readings: Reading[];
  blocks: Block[];
  /**
   * µs in which anything ran on the device
   */
  ran: number;
  /**
   * µs of these in which two operations or more ran
   */
  overlapped: number;
  /**
   * The share of the one in the other, percent
   */
  overlap: number;
  /**
   * µs in which the host waited
   */
  host_waited: number;
}
/**
 * What the host is busy with.
 */
export interface Span {
  line: number;
  doing: "launch" | "wait" | "work";
  start: number;
  end: number;
}
/**
 * A kernel or a copy that has started.
 */
export interface Work {
  number: number;
  line: number;
  stream: string;
  kind: "kernel" | "to device" | "to host";
  label: string;
  share: number;
  issued: number;
  start: number;
  end: number;
  running: boolean;
}
/**
 * A stream that waited for another one.
 */
export interface Arrow {
  name: string;
  source: string;
  at: number;
  target: string;
  until: number;
  implicit: boolean;
}
/**
 * A time in which the share of the device that kernels take was the same.
 */
export interface Busy {
  start: number;
  end: number;
  percent: number;
}
/**
 * Two pieces of work on one block of memory that nothing puts in order.
 */
export interface Conflict {
  first: number;
  second: number;
  block: number;
  wrong: boolean;
  words: string;
}
/**
 * A time that the program printed.
 */
export interface Reading {
  line: number;
  clock: "host" | "events";
  start: number;
  end: number;
  us: number;
  running: boolean;
}
/**
 * Memory of the caching allocator.
 */
export interface Block {
  number: number;
  stream: string;
  tensor: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.streams": ["non-blocking", "blocking"],
  "Params.default_stream": ["legacy", "per-thread"],
  "Moment.stage": ["host", "device", "stopped"],
  "Reading.clock": ["host", "events"],
  "Span.doing": ["launch", "wait", "work"],
  "Work.kind": ["kernel", "to device", "to host"],
} as const;
