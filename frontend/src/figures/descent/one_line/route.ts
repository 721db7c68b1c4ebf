/** Ways for threads: down beside cells, and into one from a side at which nothing is in the way. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
export type Point = readonly [x: number, y: number];

const ROOM = 4; // pixels between a thread and what it passes
const ROUND = 6;

export const middleOf = ({ left, right }: Box): number => (left + right) / 2;

/** The corners of a way to `box` from the height `far`, above or below it, that crosses none of the cells; the straight
 *  one if there is none. */
export function around(box: Box, far: number, cells: Box[], width: number): Point[] {
  const crosses = ([x0, y0]: Point, [x1, y1]: Point) => {
    const room = x0 === x1 ? 1 : -1; // past cells, but up to the edge of one
    return cells.some(
      ({ left, right, top, bottom }) =>
        left < Math.max(x0, x1) + room &&
        right > Math.min(x0, x1) - room &&
        top < Math.max(y0, y1) &&
        bottom > Math.min(y0, y1),
    );
  };
  const open = (way: Point[]) => way.every((point, n) => n === 0 || !crosses(way[n - 1]!, point));
  const middle = middleOf(box);
  const straight: Point[] = [
    [middle, far],
    [middle, far < box.top ? box.top : box.bottom],
  ];
  if (open(straight)) return straight;
  const lanes = cells.flatMap(({ left, right }) => [left - ROOM, right + ROOM]);
  const near = [...new Set(lanes)]
    .filter((x) => x > 0 && x < width)
    .sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle) || other - one);
  for (const x of near) {
    const level = (box.top + box.bottom) / 2;
    const ways: Point[][] = [
      [
        [x, far],
        [x, level],
        [x < middle ? box.left : box.right, level],
      ],
      ...[
        [box.top - ROOM, box.top],
        [box.bottom + ROOM, box.bottom],
      ].map(([beside, edge]): Point[] => [
        [x, far],
        [x, beside!],
        [middle, beside!],
        [middle, edge!],
      ]),
    ];
    const found = ways.find(open);
    if (found) return found;
  }
  return straight;
}

/** The way as a path from its first corner, which is where the pen is, with its corners rounded. */
export function rounded(way: Point[]): string {
  return way
    .slice(1)
    .map((corner, n) => {
      const [before, after] = [way[n]!, way[n + 2]];
      if (!after) return `L${corner.join(" ")}`;
      const round = Math.min(ROUND, apart(before, corner) / 2, apart(corner, after) / 2);
      return `L${toward(corner, before, round).join(" ")}Q${corner.join(" ")} ${toward(corner, after, round).join(" ")}`;
    })
    .join("");
}

const apart = ([x0, y0]: Point, [x1, y1]: Point) => Math.hypot(x1 - x0, y1 - y0);

function toward(from: Point, to: Point, by: number): Point {
  const share = by / (apart(from, to) || 1);
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}
