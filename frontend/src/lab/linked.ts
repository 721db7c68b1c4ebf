/** What links in the text have set in a figure. */
import type { Params } from "../runner/types";

export class Linked {
  private last: Params = {};

  /** What a link asks for that names these. What another one set goes back, unless the reader has set it since; a link
   *  to a step keeps everything. */
  asks(named: Params, now: Params, first: Params): Params {
    if (Object.keys(named).length === 0) return named;
    const set = Object.entries(this.last).filter(([name, value]) => now[name] === value);
    const back = set.map(([name]) => [name, first[name]!]);
    this.last = named;
    return { ...(Object.fromEntries(back) as Params), ...named };
  }
}
