// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Parsed;
}
export interface Params {
  /**
   * Calls to argparse with numbers and texts, as in a program; nothing is executed.
   */
  parser: string;
  /**
   * What comes after the name of the program.
   */
  line: string;
}
/**
 * After one step of the parser.
 */
export interface Parsed {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "parsed";
  stage: "line" | "tokens" | "letters" | "actions" | "end";
  /**
   * Version of the Python whose argparse this is.
   */
  python: string;
  /**
   * The declaration, as the reader wrote it.
   */
  source: string;
  /**
   * The line of the declaration that the step belongs to; 0 for none.
   */
  at: number;
  /**
   * The command line, as typed.
   */
  line: string;
  tokens: Token[];
  slots: Slot[];
  /**
   * Whose turn it is: the program, or a subcommand.
   */
  parser: string;
  /**
   * The expression that was matched last, one group for each action; nothing in steps about other things.
   */
  regex: string;
  /**
   * What it was matched with.
   */
  letters: string;
  /**
   * Letters that each of its groups got.
   */
  counts: number[];
  /**
   * Options that the token of this step may be.
   */
  candidates: string[];
  /**
   * The namespace; empty before the end, and after an error.
   */
  result: Entry[];
  stdout: string;
  stderr: string;
  /**
   * Exit code: 0 after a help text, 2 after an error; -1 as long as the program goes on.
   */
  status: number;
}
export interface Token {
  text: string;
  raw: string;
  start: number;
  letter: string;
  state: string;
}
/**
 * An action of a parser, and what the namespace has under its name.
 */
export interface Slot {
  level: number;
  parser: string;
  name: string;
  dest: string;
  wants: string;
  line: number;
  required: boolean;
  value: string;
  given: boolean;
  chips: Chip[];
  state: string;
}
/**
 * A token, or a part of one, that an action has taken.
 */
export interface Chip {
  place: number;
  text: string;
}
/**
 * A name of the namespace that the program gets.
 */
export interface Entry {
  name: string;
  value: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = { "Parsed.stage": ["line", "tokens", "letters", "actions", "end"] } as const;
