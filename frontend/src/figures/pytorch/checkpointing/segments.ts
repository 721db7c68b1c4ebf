import type { Event } from "../../../generated/pytorch/checkpointing/types";

export type Segment = Event["segments"][number];

/** As the lab's parameter says it: lengths, with a k before those that keep everything. */
export const written = (segments: Segment[]) =>
  segments.map(({ start, stop, checkpointed }) => `${checkpointed ? "" : "k"}${stop - start}`).join(" ");

/** With a border after that many layers, or without the one that is there. What is cut off a segment that keeps
 *  everything is checkpointed, and so is what one with a checkpoint is joined to. */
export function cut(segments: Segment[], after: number): Segment[] {
  const n = segments.findIndex(({ stop }) => stop >= after);
  const one = segments[n]!;
  if (one.stop > after) {
    const parts = [
      { ...one, stop: after, checkpointed: true },
      { ...one, start: after },
    ];
    return segments.toSpliced(n, 1, ...parts);
  }
  const next = segments[n + 1]!;
  const joined = { ...one, stop: next.stop, checkpointed: one.checkpointed || next.checkpointed };
  return segments.toSpliced(n, 2, joined);
}

/** With a checkpoint around a segment, or without the one that is there. */
export const turned = (segments: Segment[], at: number): Segment[] =>
  segments.map((each, n) => (n === at ? { ...each, checkpointed: !each.checkpointed } : each));
