// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Answers;
}
export interface Params {
  program: "branch" | "dimensions" | "number" | "halves" | "rows" | "counter";
  /**
   * The input that the function is traced and exported with.
   */
  example: number;
  /**
   * 1 2 is a row, 1 2; 3 4 a matrix, 1 2 | 3 4 a stack of matrices.
   */
  own: string;
}
/**
 * A function was written down, or asked once more.
 */
export interface Answers {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "answers";
  /**
   * The way that is shown.
   */
  stage: string;
  /**
   * The input that was asked just now; -1 before the first.
   */
  asked: number;
  /**
   * The function.
   */
  source: string;
  /**
   * What its result depends on besides the numbers.
   */
  hangs: string;
  ways: string[];
  /**
   * [ways] how each writes down
   */
  says: string[];
  inputs: string[];
  /**
   * Which of the inputs it is written down with, from 0.
   */
  example: number;
  /**
   * [ways][inputs] what came out, or why nothing did; empty as long as it was not asked
   */
  answers: string[][];
  /**
   * [ways][inputs] right, wrong, refused, or empty
   */
  verdicts: string[][];
  /**
   * [inputs][lines of the function] how often Python comes to each line; empty as long as it was not asked
   */
  ran: number[][];
  /**
   * Whether this way wrote down one walk through the function, that of the example.
   */
  fixed: boolean;
  /**
   * [ways] what is written down by now, or why nothing is
   */
  code: string[];
  /**
   * [ways] what PyTorch said meanwhile, and what happened
   */
  notes: string[][];
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.program": ["branch", "dimensions", "number", "halves", "rows", "counter"],
} as const;
