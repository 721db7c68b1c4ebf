/** Where a run comes to something new: what the timeline marks, and where Page Up and Page Down lead. */
import type { LabEvent } from "../runner/types";
import { tr } from "../words";
import { lengthOf, type Sentence } from "../words/sentence";

export interface Tick {
  /** Index of the event. */
  at: number;
  name: string;
}

/** More marks than these on one line are a smear. */
const MOST = 40;

/** An event is called by its stage, where its kind has several, else by its kind. */
function nameOf(event: LabEvent): string {
  const name = "stage" in event && typeof event.stage === "string" ? event.stage : event.kind;
  return tr(name.replaceAll("_", " "));
}

/** A tick wherever an event is called otherwise than the one before it. In a run that keeps going to and fro only
 *  the first of each name is news. */
export function ticksOf(events: readonly LabEvent[]): Tick[] {
  const named = events.map((event, at) => ({ at, name: nameOf(event) }));
  const turns = named.filter(({ at, name }) => name !== named[at - 1]?.name);
  if (turns.length <= MOST) return turns;
  const seen = new Set<string>();
  return turns.filter(({ name }) => !seen.has(name) && seen.add(name)).slice(0, MOST);
}

/** The last tick that is not after `step`: what the reader is in the midst of. */
export const tickAt = (ticks: readonly Tick[], step: number): Tick | undefined =>
  ticks.findLast(({ at }) => at <= step);

/** The stop before or after `step`: a tick, or the end; tenths, where a run has one name for all its events. */
export function stopFrom(ticks: readonly Tick[], step: number, last: number, by: -1 | 1): number {
  const tenths = () => Array.from({ length: 11 }, (_, i) => Math.round((i * last) / 10));
  const stops = ticks.length > 1 ? [0, ...ticks.map(({ at }) => at), last] : tenths();
  return (by < 0 ? stops.findLast((at) => at < step) : stops.find((at) => at > step)) ?? step;
}

/** The longest sentence of a run: room for it is kept free from the start, so that no step moves the page. */
export const longestOf = (sentences: readonly Sentence[]): Sentence =>
  sentences.reduce((longest, one) => (lengthOf(one) > lengthOf(longest) ? one : longest), "");
