import type { Event } from "../../../generated/pytorch/autograd_engine/types";

export type Node = Event["nodes"][number];

/** What a node says of itself: the operator whose way back it is, or the gradient that it adds to. */
export function plain({ name, leaf }: Node): string {
  return leaf ? `${leaf.includes(" ") ? "?" : leaf}.grad` : name.replace(/Backward\d*s?$/, "");
}
