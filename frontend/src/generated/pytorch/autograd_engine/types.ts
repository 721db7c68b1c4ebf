// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * PyTorch tensors, loops, hooks, checkpoint(lambda a: …, x), and backward().
   */
  program: string;
}
/**
 * The graph after a line, or after one node of a walk has run.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "lines" | "walk" | "stopped";
  /**
   * Of the program, that is executed
   */
  line: number;
  nodes: Node[];
  edges: Edge[];
  /**
   * Numbers of the nodes that are ready, the next one first
   */
  queue: number[];
  /**
   * The number of the node that has just run; 0 if none has
   */
  now: number;
  /**
   * Walks that are open, one inside the other
   */
  depth: number;
  /**
   * In which the node ran, counted from 1, the one that called backward
   */
  thread: number;
  leaves: Leaf[];
  /**
   * Nodes that have run so far, in all walks
   */
  steps: number;
  /**
   * That the widest picture of this run has
   */
  columns: number;
  /**
   * That the highest picture of this run has
   */
  rows: number;
  /**
   * What torch said instead of going on
   */
  error: string;
}
/**
 * A function of the graph.
 */
export interface Node {
  number: number;
  name: string;
  leaf: string;
  sequence: number;
  line: number;
  column: number;
  row: number;
  state: string;
  arrived: number;
  expected: number;
  gradient: string;
}
/**
 * Where a node hands a gradient on.
 */
export interface Edge {
  source: number;
  target: number;
  way: number;
  passed: boolean;
}
/**
 * A tensor that gradients are added up for.
 */
export interface Leaf {
  name: string;
  grad: string;
  times: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Picture.stage": ["lines", "walk", "stopped"] } as const;
