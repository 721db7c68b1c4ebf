// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Memory;
}
export interface Params {
  /**
   * PyTorch tensors: views, operators, in-place changes, backward(), del.
   */
  program: string;
}
/**
 * Storages and tensors after a statement.
 */
export interface Memory {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "memory";
  stage: "running" | "stopped";
  /**
   * Of the statement that was executed
   */
  line: number;
  /**
   * Of all storages together
   */
  bytes: number;
  storages: Storage[];
  views: View[];
  saves: Save[];
  /**
   * What torch said instead of executing the line
   */
  error: string;
}
/**
 * Bytes that belong together.
 */
export interface Storage {
  name: string;
  bytes: number;
  item: number;
  cells: string[];
  changed: number[];
  holders: string[];
  tensors: number;
}
/**
 * A tensor: how a part of a storage is read.
 */
export interface View {
  number: number;
  names: string[];
  storage: string;
  dtype: string;
  offset: number;
  shape: number[];
  strides: number[];
  at: number[];
  item: number;
  values: string[];
  base: string;
  version: number;
  history: string;
}
/**
 * What a node of the graph keeps for the way back.
 */
export interface Save {
  node: string;
  number: number;
  storage: string;
  saved: number;
  now: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Memory.stage": ["running", "stopped"] } as const;
