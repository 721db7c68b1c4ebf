/** A level whose engine cannot take the reader's line keeps the last one that it could. */
import type { Cut } from "../../../generated/descent/one_line/types";

/** Of each cut the level's picture: the cut itself if it was `taken`, else the last that was, if there is one. */
export function keeper(taken: (cut: Cut) => boolean): (cut: Cut) => Cut {
  let last: Cut | undefined;
  return (cut) => (taken(cut) ? (last = cut) : (last ?? cut));
}
