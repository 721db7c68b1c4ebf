// Generated from the Python lab by `make contract`; edits here are lost.

import type { NdArray } from "../../../runner/array";

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Piped;
}
export interface Params {
  /**
   * A bitmap is a header and the pixels. A PNG is compressed.
   */
  form: "bitmap" | "PNG";
  damage: "none" | "a letter changed" | "a letter lost" | "a line lost";
  /**
   * Counted from 0; beyond the end, the last one. A lost line is the line of this letter.
   */
  place: number;
  /**
   * In whole groups of four.
   */
  length: number;
  /**
   * The last two letters are + and /, or - and _; email uses the first pair.
   */
  alphabet: "standard" | "URL-safe";
  /**
   * Red, green and blue of 16 by 16 pixels, in URL-safe base64.
   */
  picture: string;
}
/**
 * A picture somewhere on its way from a file through a text to a file.
 */
export interface Piped {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "piped";
  stage: "picture" | "letters" | "message" | "on the way" | "reading" | "end";
  /**
   * [16, 16, 3] red, green and blue of the picture that is sent
   */
  pixels: NdArray<Uint8Array>;
  file_bytes: number;
  /**
   * The group of three bytes that holds the first pixel; -1 if no group holds a pixel, as in a PNG.
   */
  first_group: number;
  /**
   * Of letters, as far as they are written; from the damage on, as they arrive.
   */
  lines: string[];
  /**
   * The first line that this step is about.
   */
  begin: number;
  /**
   * The line behind its last one.
   */
  end: number;
  /**
   * Where the message was damaged; -1 for nowhere. A line that is lost lay before the one with this number.
   */
  hurt_line: number;
  /**
   * The letter of that line, or of the place where it was; -1 for nowhere.
   */
  hurt_column: number;
  /**
   * The line that was lost, or the letter as it had been.
   */
  lost: string;
  group: Group;
  was: Group1;
  /**
   * Lines of the header; none before it is written.
   */
  head: string[];
  /**
   * Letters of the body, as sent.
   */
  letters: number;
  /**
   * Bytes in line breaks of the body, as sent: two each.
   */
  breaks: number;
  /**
   * All of the message as sent, the header included.
   */
  message_bytes: number;
  /**
   * By how much the body, with its line breaks, is longer than the file, in percent.
   */
  overhead: number;
  /**
   * [16, 16, 3] the picture that is seen at the other end, as far as it has been read
   */
  received: NdArray<Uint8Array>;
  /**
   * Pixels of it that are there, from the first on.
   */
  known: number;
  /**
   * Of the file, as far as it has been read.
   */
  received_bytes: number;
  /**
   * Bytes of the file that are not what they were at their place, or are missing; 0 before the end.
   */
  different_bytes: number;
  /**
   * The same in pixels of the picture.
   */
  different_pixels: number;
  /**
   * What `email` reports about the message, by the names of its classes; at the end.
   */
  defects: string[];
  /**
   * What a strict viewer says of the file, at the end; nothing if it has no complaint.
   */
  problem: string;
  /**
   * The first 16 digits of the SHA-256 of the file.
   */
  sent_hash: string;
  /**
   * The same of the file at the other end, at the end.
   */
  received_hash: string;
}
/**
 * The group that is shown bit by bit.
 */
export interface Group {
  place: number;
  octets: number[];
  sextets: number[];
  letters: string;
}
/**
 * The same group before the damage.
 */
export interface Group1 {
  place: number;
  octets: number[];
  sextets: number[];
  letters: string;
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.form": ["bitmap", "PNG"],
  "Params.damage": ["none", "a letter changed", "a letter lost", "a line lost"],
  "Params.alphabet": ["standard", "URL-safe"],
  "Piped.stage": ["picture", "letters", "message", "on the way", "reading", "end"],
} as const;
