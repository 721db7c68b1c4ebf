// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Tokens | Tree | Code | Values | Pass | MachineCode | Assembly | Bytes | Run;
}
export interface Params {
  source: string;
  /**
   * The instruction set that the code is compiled to.
   */
  target: "x86-64" | "AArch64" | "RISC-V" | "WebAssembly" | "PTX";
  /**
   * How hard the optimiser tries; at O0, not at all.
   */
  level: "O0" | "O1" | "O2" | "O3";
  a: number;
  b: number;
  /**
   * The machine code is made from what the optimiser was given, not from what it made of it.
   */
  early: boolean;
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
/**
 * LLVM's code after a pass that changed it. The first is what our front end has written.
 */
export interface Pass {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  source: string;
  code: Line[];
  ir: Spot[];
  kind: "pass";
  name: string;
  /**
   * What the pass worked on.
   */
  of: string;
  /**
   * 0 for the code as it was written.
   */
  number: number;
  /**
   * How many change the code in this run.
   */
  passes: number;
}
/**
 * A line of LLVM's code.
 */
export interface Spot {
  text: string;
  code: number;
  change: "same" | "new" | "gone";
}
/**
 * The code at the end of a stage of the code generator.
 */
export interface MachineCode {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  source: string;
  code: Line[];
  ir: Spot[];
  kind: "machine";
  stage: "selection" | "phis" | "registers" | "final";
  /**
   * The passes that end the stage.
   */
  by: string[];
  rows: Row[];
}
/**
 * A line of machine code.
 */
export interface Row {
  text: string;
  ir: number;
  address: number;
  size: number;
}
/**
 * The text of the machine code.
 */
export interface Assembly {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  source: string;
  code: Line[];
  ir: Spot[];
  kind: "assembly";
  rows: Row[];
}
/**
 * The machine code itself.
 */
export interface Bytes {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  source: string;
  code: Line[];
  ir: Spot[];
  kind: "bytes";
  rows: Row[];
  /**
   * [bytes] the code of all functions
   */
  data: NdArray<Uint8Array>;
}
/**
 * A module for the reader's browser, and what the interpreter says that it returns.
 */
export interface Run {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  source: string;
  code: Line[];
  ir: Spot[];
  kind: "run";
  rows: Row[];
  /**
   * [bytes] the code of all functions
   */
  data: NdArray<Uint8Array>;
  /**
   * [bytes] a WebAssembly module that exports the function; empty if there is no call to make
   */
  module: NdArray<Uint8Array>;
  function: string;
  arguments: string[];
  /**
   * The types of the arguments.
   */
  parameters: string[];
  returns: string;
  /**
   * Of the interpreter, as C prints it.
   */
  answer: string;
  /**
   * Why there is no answer.
   */
  fault: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.target": ["x86-64", "AArch64", "RISC-V", "WebAssembly", "PTX"],
  "Params.level": ["O0", "O1", "O2", "O3"],
  "Spot.change": ["same", "new", "gone"],
  "MachineCode.stage": ["selection", "phis", "registers", "final"],
} as const;
