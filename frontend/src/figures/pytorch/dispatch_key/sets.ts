import type { Event } from "../../../generated/pytorch/dispatch_key/types";

/** One call of the operator: it sees the keys from `first` down, and its way ends at `last`. */
export interface Call {
  first: number;
  last: number;
  /** Some kernel, or the lack of one, ended it. */
  ended: boolean;
}

export const THREAD = "the thread";

/** The calls made so far: each kernel that ran called again, with the keys below its own. */
export function calls({ state, at, keys }: Event): Call[] {
  const now = Math.min(at, keys.length - 1);
  const made: Call[] = [{ first: 0, last: -1, ended: false }];
  for (let key = 0; key <= now && state[key] !== "not reached"; key++) {
    if (made.at(-1)!.ended) made.push({ first: key, last: key, ended: false });
    const call = made.at(-1)!;
    call.last = key;
    call.ended = state[key] === "ran" || state[key] === "no kernel";
  }
  return made;
}

/** Who brings keys beside the thread: the tensors, or the device where there are none. */
export const bringers = ({ origin }: Event): string[] =>
  [...new Set(origin.flatMap((each) => each.split(", ")))].filter((who) => who !== THREAD).sort();
