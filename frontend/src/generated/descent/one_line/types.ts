// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Cut;
}
export interface Params {
  /**
   * One name, =, and +, -, *, @, relu(…), .T, brackets and numbers.
   */
  line: string;
  /**
   * Counted row by row; the last one if the result has fewer.
   */
  element: number;
  /**
   * 2 rows of 3 numbers
   */
  x: string;
  /**
   * 3 rows of 4 numbers
   */
  w: string;
  /**
   * 4 numbers
   */
  b: string;
}
/**
 * The whole way down, for one element.
 */
export interface Cut {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "cut";
  line: string;
  /**
   * What the result is called
   */
  target: string;
  /**
   * Of the chosen element
   */
  index: number[];
  /**
   * Of the chosen element, counted row after row
   */
  place: number;
  /**
   * The chosen element, in the fewest digits that read back as its bits
   */
  value: string;
  /**
   * [levels] a sentence for each
   */
  says: string[];
  /**
   * Version of the Python whose tree and instructions these are
   */
  python: string;
  /**
   * Version of the PyTorch that was asked for schemas and kernels
   */
  torch: string;
  tree: Branch[];
  code: Instruction[];
  /**
   * Instructions that ``dis`` lists, with those that keep a place, prepare the call, or return
   */
  listed: number;
  calls: Call[];
  /**
   * The inputs, and the result last
   */
  stored: Stored[];
  views: View[];
  tape: Taped[];
  /**
   * Bytes that the tape keeps, each storage counted once
   */
  kept: number;
  gradients: Gradient[];
  graph: Row[];
  loops: Written[];
  kernels: number;
  /**
   * Bytes that fusion keeps out of memory: written and read again if each operation had its own kernel
   */
  saved: number;
  /**
   * Why there are no loops; empty where there are
   */
  why_compiler: string;
  /**
   * The loops of a vector kernel, and where in them the chosen element is
   */
  nests: Nest[];
  steps: Step[];
  touches: Touch[];
  /**
   * Cache lines that the element touches
   */
  lines: number;
  lanes: Lanes;
  machines: Machine[];
  /**
   * Why there is no machine code; empty where there is
   */
  why_machine: string;
  bits: Bits;
  clock: Clock;
  /**
   * Whether the clock's line is this one
   */
  timed: boolean;
}
/**
 * A node of the syntax tree.
 */
export interface Branch {
  label: string;
  begin: number;
  end: number;
  depth: number;
}
/**
 * One instruction of CPython's bytecode.
 */
export interface Instruction {
  name: string;
  argument: string;
  begin: number;
  end: number;
  stack: string[];
}
/**
 * An operation of the line.
 */
export interface Call {
  begin: number;
  end: number;
  given: string[];
  operators: Called[];
}
/**
 * One operator on its way through the dispatcher.
 */
export interface Called {
  operator: string;
  schema: string;
  stops: Stop[];
}
/**
 * A key of the dispatcher at which something runs, or nothing does.
 */
export interface Stop {
  key: string;
  state: string;
  file: string;
}
/**
 * A tensor, and the storage that it reads.
 */
export interface Stored {
  name: string;
  shape: number[];
  strides: number[];
  numbers: string[];
  bytes: string[];
  path: number[];
}
/**
 * A matrix that is read otherwise, without a byte being moved.
 */
export interface View {
  written: string;
  shape: number[];
  strides: number[];
}
/**
 * An operation on the tape.
 */
export interface Taped {
  name: string;
  begin: number;
  end: number;
  saved: string[];
  bytes: number;
  flows: string;
}
/**
 * How the chosen element answers to each number of an input.
 */
export interface Gradient {
  name: string;
  numbers: string[];
  path: number[];
}
/**
 * An operation of the captured graph.
 */
export interface Row {
  name: string;
  text: string;
  shape: number[];
  kernel: number;
}
/**
 * A line of the loops.
 */
export interface Written {
  text: string;
  depth: number;
  kernel: number;
  node: number;
}
/**
 * A product, or what is done with each element.
 */
export interface Nest {
  loops: Loop[];
  operands: Operand[];
  written: string;
  shape: number[];
  tile: number;
  wanted: number[];
}
/**
 * A line of a nest.
 */
export interface Loop {
  text: string;
  depth: number;
  rounds: string;
}
/**
 * A factor of a product.
 */
export interface Operand {
  written: string;
  shape: number[];
  keys: string[];
}
/**
 * One operation on two numbers, or on one.
 */
export interface Step {
  sign: string;
  left: string;
  right: string;
  result: string;
  keys: string[];
  error: number;
}
/**
 * A number in a cache line that is read, or written.
 */
export interface Touch {
  name: string;
  place: number;
  order: number;
}
/**
 * Neighbours along the last axis, which one vector instruction computes together.
 */
export interface Lanes {
  numbers: string[];
  first: number;
  lane: number;
}
/**
 * The chosen element as a function of one processor.
 */
export interface Machine {
  name: string;
  rows: Assembled[];
  size: number;
}
/**
 * One instruction of a processor.
 */
export interface Assembled {
  text: string;
  bytes: string;
  key: string;
}
/**
 * A float32: sign, exponent and fraction, and the numbers around it.
 */
export interface Bits {
  bits: string;
  exponent: number;
  stored: string;
  unrounded: string;
  below: string;
  above: string;
  roundings: number;
  last: number;
}
/**
 * One call of the line, in parts that add up.
 */
export interface Clock {
  line: string;
  layers: string[];
  took: number[];
  whole: number;
  reached: number;
  arithmetic_reached: number;
  machine: string;
  at: string;
}

export type Event = Lab["event"];
