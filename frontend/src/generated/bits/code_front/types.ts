// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Tokens | Tree | Code | Values;
}
export interface Params {
  source: string;
}
/**
 * The text, cut into words.
 */
export interface Tokens {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "tokens";
  source: string;
  tokens: Piece[];
}
/**
 * A token.
 */
export interface Piece {
  kind: string;
  text: string;
  start: number;
  end: number;
}
/**
 * What belongs to what.
 */
export interface Tree {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "tree";
  source: string;
  /**
   * In the order of the program, each before its children.
   */
  nodes: Branch[];
}
/**
 * A node of the syntax tree; its children follow it, one deeper.
 */
export interface Branch {
  depth: number;
  role: string;
  kind: string;
  detail: string;
  start: number;
  end: number;
}
/**
 * One operation a line, every variable in memory.
 */
export interface Code {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "code";
  source: string;
  code: Line[];
}
/**
 * An instruction of three-address code, or a label. Its number is its place in the list.
 */
export interface Line {
  routine: string;
  text: string;
  op: string;
  start: number;
  end: number;
}
/**
 * Static single assignment: every value has one name, and every name one value.
 */
export interface Values {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "values";
  source: string;
  code: Line[];
  blocks: Part[];
  values: Valued[];
  /**
   * The variables that live in values now and no longer in memory, as function.variable.
   */
  promoted: string[];
}
/**
 * A basic block of the SSA form, by its number in the program.
 */
export interface Part {
  number: number;
  routine: string;
  before: number[];
  dominator: number;
}
/**
 * A line of the SSA form.
 */
export interface Valued {
  block: number;
  text: string;
  code: number;
  defines: string;
  uses: string[];
}

export type Event = Lab["event"];
