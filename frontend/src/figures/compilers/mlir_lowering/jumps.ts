/** Blocks of code in their order, and jumps between them as brackets: those back are what became of loops. */
import type { Row } from "../../../generated/compilers/mlir_lowering/types";
import { following } from "./nests.ts";

export interface Bracket {
  key: string;
  from: number;
  to: number;
  /** How many brackets are inside. */
  level: number;
}

export interface Jumps {
  /** In the order of the loops that they were. */
  back: Bracket[];
  /** Past the block that follows. */
  ahead: Bracket[];
}

export function jumps(blocks: readonly Row[]): Jumps {
  const place = new Map(blocks.map(({ name }, index) => [name, index]));
  const pairs = blocks.flatMap(({ to }, from) =>
    to.flatMap((name) => {
      const at = place.get(name);
      return at === undefined ? [] : [{ from, to: at }];
    }),
  );
  const back = pairs.filter(({ from, to }) => to <= from).map(({ from, to }) => ({ from: to, to: from }));
  const ahead = pairs.filter(({ from, to }) => to > from + 1);
  return { back: keyed(back), ahead: keyed(ahead) };
}

/** The place of each among those around it, as loops have it. */
function keyed(pairs: { from: number; to: number }[]): Bracket[] {
  const sorted = [...pairs].sort((one, two) => one.from - two.from || two.to - one.to);
  const inside = (inner: (typeof pairs)[0], outer: (typeof pairs)[0]) =>
    inner !== outer && outer.from <= inner.from && inner.to <= outer.to;
  const level = (pair: (typeof pairs)[0]): number =>
    Math.max(0, ...sorted.filter((each) => inside(each, pair)).map((each) => 1 + level(each)));
  let places: number[] = [];
  return sorted.map((pair) => {
    const depth = sorted.filter((outer) => inside(pair, outer)).length;
    places = following(places, depth);
    return { ...pair, key: places.join("."), level: level(pair) };
  });
}
