// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Told;
}
export interface Params {
  /**
   * scaled is ours, with three schemas; the others are torch’s.
   */
  operator:
    | "scaled"
    | "scaled(a!)"
    | "scaled(a)"
    | "add_"
    | "view"
    | "reshape"
    | "max"
    | "sort"
    | "split"
    | "_foreach_add_"
    | "native_batch_norm";
  /**
   * Replaces the operator. Its kernel adds 1 to what it may write, and doubles the first tensor.
   */
  own: string;
  /**
   * It returns a new tensor, changes x as well, or returns x itself.
   */
  kernel: "new" | "mutates" | "aliases" | "missing";
  /**
   * What it says about the result’s shape and strides.
   */
  meta: "right" | "wrong_shape" | "wrong_strides" | "missing";
  /**
   * Registers a backward formula for scaled.
   */
  autograd: boolean;
}
/**
 * An operator, as far as it has been tried.
 */
export interface Told {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "told";
  /**
   * argument, result, call, kernels, or the name of a road
   */
  stage: string;
  schema: string;
  /**
   * Lines of Python
   */
  program: string[];
  /**
   * The arguments, then the results
   */
  slots: Slot[];
  /**
   * Which slot is read; -1 if none is
   */
  at: number;
  /**
   * The storages of the call; before it those of the arguments
   */
  places: Place[];
  keys: Registered[];
  roads: Road[];
  /**
   * Which road was taken last; -1 before the first
   */
  road: number;
  /**
   * Storages with which the call did what the schema hides
   */
  lies: number;
  /**
   * Roads so far that fail or give another result
   */
  fails: number;
}
/**
 * An argument or a result, as the schema declares it.
 */
export interface Slot {
  key: string;
  name: string;
  type: string;
  mark: string;
  default: string;
  keyword: boolean;
  tensor: boolean;
  result: boolean;
}
/**
 * A storage that the call saw.
 */
export interface Place {
  key: string;
  slots: string[];
  before: number;
  after: number;
  changed: boolean;
  lie: string;
}
/**
 * What runs at a dispatch key.
 */
export interface Registered {
  key: "CPU" | "Meta" | "Autograd";
  kind: string;
  refused: string;
}
/**
 * A way to run a program that calls the operator, or one of opcheck's tests.
 */
export interface Road {
  name: string;
  needs: string[];
  state: "waiting" | "works" | "warns" | "differs" | "fails";
  says: string;
  result: string;
  values: number[];
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.operator": [
    "scaled",
    "scaled(a!)",
    "scaled(a)",
    "add_",
    "view",
    "reshape",
    "max",
    "sort",
    "split",
    "_foreach_add_",
    "native_batch_norm",
  ],
  "Params.kernel": ["new", "mutates", "aliases", "missing"],
  "Params.meta": ["right", "wrong_shape", "wrong_strides", "missing"],
  "Registered.key": ["CPU", "Meta", "Autograd"],
  "Road.state": ["waiting", "works", "warns", "differs", "fails"],
} as const;
