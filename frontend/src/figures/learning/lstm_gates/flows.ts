/** What flows through the cell, in a box of 100 × 100: bands as wide as their values, which narrow at a gate. */

/** The lane of the memory and the lane below it, and how wide the largest value of the unit is drawn. */
export const [MEMORY, INPUT, WIDEST] = [31, 70, 24];

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
