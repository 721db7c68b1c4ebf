// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Compared;
}
export interface Params {
  /**
   * What comes after the name of the program.
   */
  line: string;
}
/**
 * After one more library.
 */
export interface Compared {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "compared";
  tokens: string[];
  /**
   * Of the values.
   */
  names: string[];
  /**
   * Of the libraries that had their turn.
   */
  outcomes: Outcome[];
  /**
   * For each outcome, which of the different ones it is, counted from 0 in the order of their first.
   */
  groups: number[];
}
/**
 * Of one library.
 */
export interface Outcome {
  library: string;
  version: string;
  source: string;
  values: string[];
  status: number;
  stdout: string;
  stderr: string;
  taken: Taken[];
}
/**
 * A token, or a part of it, that reached a parameter.
 */
export interface Taken {
  place: number;
  text: string;
  name: string;
  value: boolean;
  refused: boolean;
}

export type Event = Lab["event"];
