/** How Play goes through a run: at a pace at which sentences can be read, and past steps of a run that is long. */
import { lengthOf, type Sentence } from "../words/sentence";
import type { Tick } from "./ticks";

/** Milliseconds: to see that the picture is another, to see what changed in it, and to read a letter. */
const LOOK = 600;
const CHANGE = 800;
const LETTER = 45;
const LONGEST = 6000;
/** A run of more steps than these is not shown step by step. */
const MOST = 60;

const templateOf = (sentence: Sentence): string => (typeof sentence === "string" ? sentence : sentence[0]);

/** How long a picture stands. Where its sentence differs from the one before in its numbers alone, there is only
 *  the change to see. */
export function standsFor(sentence: Sentence, before: Sentence | undefined): number {
  if (before !== undefined && templateOf(before) === templateOf(sentence)) return CHANGE;
  return Math.min(LONGEST, LOOK + LETTER * lengthOf(sentence));
}

/** Of a run with this last step, how many steps Play takes at once. */
export const strideOf = (last: number): number => Math.max(1, Math.ceil(last / MOST));

/** The step that Play shows after this one: never past a step at which the run comes to something new. */
export function nextOf(step: number, last: number, ticks: readonly Tick[]): number {
  const next = Math.min(last, step + strideOf(last));
  return ticks.find(({ at }) => step < at && at < next)?.at ?? next;
}
