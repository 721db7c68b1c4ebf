/** What flows through the cell, in a box of 100 × 100: bands as wide as their values, which narrow at a gate. */

/** The lane of the memory and the lane below it, and how wide the largest value of the unit is drawn. */
export const [MEMORY, INPUT, WIDEST] = [31, 70, 24];

/** The rows of a step's values, in the order of their equations. */
export const [F, I, G, C, O, H] = [0, 1, 2, 3, 4, 5];

export interface Point {
  x: number;
  y: number;
  /** 0 to 1 of the widest. */
  wide: number;
}

/** A band through points, smooth between them. */
export function band(points: readonly Point[]): string {
  const edge = (side: 1 | -1) => points.map(({ x, y, wide }) => ({ x, y: y + (side * wide * WIDEST) / 2 }));
  const curve = (edges: readonly { x: number; y: number }[]) =>
    edges
      .slice(1)
      .map(({ x, y }, i) => {
        const from = edges[i]!;
        const middle = (from.x + x) / 2;
        return `C${middle} ${short(from.y)} ${middle} ${short(y)} ${x} ${short(y)}`;
      })
      .join("");
  const [upper, lower] = [edge(-1), edge(1).toReversed()];
  const start = (way: "M" | "L", { x, y }: { x: number; y: number }) => `${way}${x} ${short(y)}`;
  return `${start("M", upper[0]!)}${curve(upper)}${start("L", lower[0]!)}${curve(lower)}Z`;
}

const short = (value: number) => Math.round(value * 100) / 100;

export const dry = (points: readonly Point[]): boolean => points.every(({ wide }) => wide === 0);

export interface Flow {
  name: string;
  value: number;
  points: Point[];
}

/** What one unit does in a step. */
interface Unit {
  /** Of each equation. */
  values: readonly number[];
  before: number;
  kept: number;
  added: number;
  shown: number;
  /** The value that is drawn widest. */
  most: number;
}

export function flowsOf({ values, before, kept, added, shown, most }: Unit, stage: number): Flow[] {
  const [g, c, h] = [values[G]!, values[C]!, values[H]!];
  /** A value is on its way once the equation of its row is known. */
  const along = (y: number, ...points: [x: number, value: number, row: number][]): Point[] =>
    points.map(([x, value, row]) => ({ x, y, wide: stage >= row ? Math.abs(value) / most : 0 }));
  const through = along(INPUT, [6, g, G], [21, g, G], [27, added, G], [38, added, G]);
  const out = along(INPUT, [72, shown, H], [79, shown, H], [85, h, H], [100, h, H]);
  return [
    {
      name: "kept",
      value: before,
      points: along(MEMORY, [0, before, F], [12, before, F], [18, kept, F], [54, kept, F]),
    },
    { name: "added", value: added, points: [...through, ...along(MEMORY, [54, added, C])] },
    { name: "shown", value: shown, points: [...along(MEMORY, [58, shown, H]), ...out] },
    { name: "memory", value: c, points: along(MEMORY, [53, kept, C], [60, c, C], [100, c, C]) },
  ];
}
