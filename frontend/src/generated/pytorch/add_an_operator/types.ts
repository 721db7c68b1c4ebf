// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Tried;
}
export interface Params {
  /**
   * Eight numbers at once, in C, for float32; without it the reference runs.
   */
  kernel: "missing" | "no tail" | "no strides" | "right";
  /**
   * 16 plain numbers; opcheck and gradcheck; or eight tests of our own.
   */
  test: "missing" | "plain" | "built-in" | "ours";
  /**
   * With int cap, a cap of 2.5 is refused.
   */
  schema: "missing" | "int cap" | "right";
  /**
   * The right one is plain and careful; the other computes with exp(2x / cap).
   */
  reference: "missing" | "overflows" | "right";
  /**
   * Contiguous strides are wrong for a transposed x.
   */
  meta: "missing" | "contiguous" | "right";
  /**
   * “times cap” has a factor cap that the chain rule cancels.
   */
  backward: "missing" | "times cap" | "right";
  /**
   * A decomposition into operators that the compiler knows, or a branch on the values.
   */
  compile: "missing" | "branches" | "overflows" | "right";
  /**
   * Stale docs were written for another default of cap.
   */
  docs: "missing" | "stale" | "right";
}
/**
 * The road, as far as it has been travelled.
 */
export interface Tried {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "tried";
  /**
   * The station at which the call is
   */
  stage: "schema" | "reference" | "meta" | "backward" | "kernel" | "compile" | "test" | "docs";
  /**
   * Of the eight stations
   */
  states: ("waiting" | "works" | "missing" | "differs" | "fails")[];
  /**
   * Lines of what stands there
   */
  code: string[];
  /**
   * At this station, the last one just now
   */
  tries: Try[];
  /**
   * At the test alone
   */
  mutants: Mutant[];
  /**
   * Mutants for which a test has failed
   */
  caught: number;
  /**
   * Stations that work
   */
  works: number;
}
export interface Try {
  name: string;
  state: "waiting" | "works" | "missing" | "differs" | "fails";
  says: string;
  cells: Cell[];
}
/**
 * One of the things that came out: a number, a shape, a node of a graph.
 */
export interface Cell {
  given: string;
  got: string;
  expected: string;
  right: boolean;
}
/**
 * The right operator with one mistake, which a test should catch.
 */
export interface Mutant {
  name: string;
  station: "schema" | "reference" | "meta" | "backward" | "kernel" | "compile" | "test" | "docs";
  caught: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.kernel": ["missing", "no tail", "no strides", "right"],
  "Params.test": ["missing", "plain", "built-in", "ours"],
  "Params.schema": ["missing", "int cap", "right"],
  "Params.reference": ["missing", "overflows", "right"],
  "Params.meta": ["missing", "contiguous", "right"],
  "Params.backward": ["missing", "times cap", "right"],
  "Params.compile": ["missing", "branches", "overflows", "right"],
  "Params.docs": ["missing", "stale", "right"],
  "Tried.stage": ["schema", "reference", "meta", "backward", "kernel", "compile", "test", "docs"],
  "Tried.states": ["waiting", "works", "missing", "differs", "fails"],
  "Mutant.station": ["schema", "reference", "meta", "backward", "kernel", "compile", "test", "docs"],
  "Try.state": ["waiting", "works", "missing", "differs", "fails"],
} as const;
