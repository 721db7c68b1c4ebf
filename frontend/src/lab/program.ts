/** What the frame knows of a program that its reader may write, beside its text. */
import type { Snippet } from "svelte";

export interface Program {
  /** What is wrong with it, in words that begin with its place; empty if nothing is. */
  error: string;
  /** The line that the shown step is at. */
  line: number | undefined;
  /** How it is read, where a figure lists it. */
  reading: Snippet | undefined;
}

/** One of which nothing is known but its text. */
export const PLAIN: Program = { error: "", line: undefined, reading: undefined };
