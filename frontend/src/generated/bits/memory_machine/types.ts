// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Picture;
}
export interface Params {
  /**
   * A subset of C, with what a first course uses of its library.
   */
  source: string;
  /**
   * What getchar, fgets and scanf read.
   */
  typed: string;
  /**
   * Run this many without a picture.
   */
  begin: number;
  /**
   * Stop after this many.
   */
  pictures: number;
  /**
   * Do what the hardware does with a bad pointer.
   */
  unchecked: boolean;
}
/**
 * The program just before a statement, or at its end.
 */
export interface Picture {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "picture";
  /**
   * The function that is running; "end" or "stopped" in the last picture.
   */
  stage: string;
  /**
   * How many statements have been executed.
   */
  statement: number;
  /**
   * Of the statement that comes next; 0 after the last.
   */
  line: number;
  /**
   * Its first character in the program, and the one after its last.
   *
   * @minItems 2
   * @maxItems 2
   */
  span: [number, number];
  /**
   * The line of the statement that was executed last; 0 before the first.
   */
  done: number;
  calls: Call[];
  globals: Piece[];
  heap: Piece[];
  /**
   * Variables that are no more, to which a pointer still leads.
   */
  gone: Piece[];
  /**
   * Pieces of memory that are too many to be listed.
   */
  hidden: number;
  /**
   * Rows that the fullest picture of this run needs for the stack, and for all the rest.
   *
   * @minItems 2
   * @maxItems 2
   */
  room: [number, number];
  output: string;
  trouble: Trouble | null;
  /**
   * Unchecked: what a check would have stopped the program for at this statement.
   */
  unnoticed: Trouble | null;
  leaked_bytes: number;
  leaked_pieces: number;
  exit: number | null;
}
export interface Call {
  name: string;
  number: number;
  returns_to: number;
  skipped: number;
  pieces: Piece[];
}
/**
 * One variable, string or piece of the heap.
 */
export interface Piece {
  number: number;
  segment: "constants" | "variables" | "heap" | "stack";
  name: string;
  type: string;
  address: number;
  size: number;
  state: "live" | "freed" | "ended" | "leaked";
  made: number;
  gone: number;
  bytes: string;
  cells: Seen[];
  more: number;
}
/**
 * One cell.
 */
export interface Seen {
  name: string;
  address: number;
  size: number;
  type: string;
  value: string;
  known: boolean;
  changed: boolean;
  arrow: Arrow | null;
}
/**
 * Where a pointer leads.
 */
export interface Arrow {
  leads: "live" | "freed" | "ended" | "past the end" | "outside" | "nowhere";
  block: number;
  cell: number;
}
/**
 * What the program did that C does not define.
 */
export interface Trouble {
  what: string;
  says: string;
  line: number;
  block: number;
  made: number;
  freed: number;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Arrow.leads": ["live", "freed", "ended", "past the end", "outside", "nowhere"],
  "Piece.segment": ["constants", "variables", "heap", "stack"],
  "Piece.state": ["live", "freed", "ended", "leaked"],
} as const;
