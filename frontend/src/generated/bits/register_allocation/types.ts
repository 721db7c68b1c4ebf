// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * One function of whole numbers, without arrays, pointers and calls.
   */
  source: string;
  registers: number;
  /**
   * Whole numbers with spaces between.
   */
  arguments: string;
  /**
   * Join two names that a move connects, where that cannot cost a register.
   */
  join_moves: boolean;
  /**
   * If all names have too many neighbours: which one may have to go to memory.
   */
  metric: "cost / degree" | "cost" | "degree";
  /**
   * A name with too many neighbours may still find a register (Briggs).
   */
  optimistic: boolean;
  /**
   * Hands out registers in the order of the code.
   */
  first_come: boolean;
  /**
   * Misses what a loop carries from one iteration to the next.
   */
  one_sweep: boolean;
  /**
   * Misses what the other path needs.
   */
  first_way: boolean;
}
/**
 * Everything that is known at one moment.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  stage: "code" | "liveness" | "graph" | "join" | "take away" | "give back" | "spill" | "done";
  round: number;
  registers: number;
  lines: string[];
  /**
   * [lines] line of the source, 0 if none
   */
  places: NdArray<Int32Array>;
  /**
   * [lines]
   */
  block_of: NdArray<Int32Array>;
  /**
   * Of each block, the blocks that may follow.
   */
  leads: number[][];
  /**
   * The block that liveness looks at, else -1.
   */
  block: number;
  names: string[];
  /**
   * The names whose lives are shown, at the end the registers.
   */
  columns: string[];
  /**
   * [lines, columns] 1: set here, 2: read here, 4: alive behind this line, as far as is known; sums of these
   */
  marks: NdArray<Uint8Array, ["line", "column"]>;
  nodes: Node[];
  /**
   * [edges, 2] places in ``names``
   */
  edges: NdArray<Int32Array>;
  /**
   * [moves, 2] places in ``names`` that a move connects, and that are not one yet
   */
  moves: NdArray<Int32Array>;
  /**
   * Taken away, the last one last.
   */
  stack: string[];
  current: string[];
  /**
   * Registers that its neighbours hold.
   */
  blocked: number[];
  in_memory: string[];
  /**
   * What the code returns that knows no registers; None if it goes wrong.
   */
  expected: number | null;
  /**
   * What it returns with registers.
   */
  result: number | null;
  /**
   * Lines, with registers.
   */
  executed: number | null;
  executed_before: number | null;
  /**
   * Loads and stores among them.
   */
  memory: number | null;
}
export interface Node {
  name: string;
  joined: string[];
  cost: number | null;
  degree: number;
  state: "here" | "away" | "hoping" | "given" | "spilled";
  register: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.metric": ["cost / degree", "cost", "degree"],
  "Picture.stage": ["code", "liveness", "graph", "join", "take away", "give back", "spill", "done"],
  "Node.state": ["here", "away", "hoping", "given", "spilled"],
} as const;
