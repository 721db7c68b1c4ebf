/** Where Near.svelte draws what a step has brought near the arithmetic; in memory a number is 1 wide. */
import type { Ways } from "../../../generated/speed/matmul_device/types";
import { boxesOf, grainOf, keptOf, type Box, type Kept } from "./boxes";

export const TOP = 2.6;
export const GAP = 1;
/** From one number near the arithmetic to the next. */
const NEAR = 2.3;
/** Where what is near begins. */
export const FAR = 34;
const LEFT = FAR + 4 * NEAR + GAP; // a step takes four numbers of a row of A at most
/** And where it ends. */
export const RIGHT = LEFT + 6 * NEAR; // six columns of C at most
export const SIZE = 0.9 * NEAR;
const BETWEEN = 0.7; // threads that keep several sums
const VECTORS = ["WASM SIMD", "WASM threads"];

/** A number that has come out of a matrix: 0 is A, and 1 is B. */
export interface Brought {
  mark: string;
  from: string;
  matrix: 0 | 1;
  x: number;
  y: number;
  size: number;
  /** The middle of its place in memory. */
  at: [number, number];
}
export interface Sum {
  row: number;
  column: number;
  x: number;
  y: number;
}
export interface Frame {
  mark: string;
  x: number;
  y: number;
  wide: number;
  high: number;
}

/** A left of C, B above. */
export const corners = (side: number) => [
  { name: "A", x: 0, y: TOP + side + GAP },
  { name: "B", x: side + GAP, y: TOP },
  { name: "C", x: side + GAP, y: TOP + side + GAP },
];

export class Bench {
  readonly boxes: Box[];
  readonly kept: Kept | undefined;
  /** The share of each sum that is done. */
  readonly done: number;

  constructor(private readonly event: Ways) {
    this.boxes = boxesOf(event);
    const [first] = this.boxes;
    this.kept = first && keptOf(event, first);
    this.done = ((first?.inner.at(-1) ?? -1) + 1) / event.touched.shape[1]!;
  }

  /** From the first of the sums of a box, down or to the right. */
  private along(n: number): number {
    const grain = grainOf(this.event);
    return NEAR * n + (grain > 1 ? BETWEEN * Math.floor(n / grain) : 0);
  }

  /** The sums of two cores stand below each other. */
  private top(n: number): number {
    return this.boxes.length > 1 ? TOP + NEAR + GAP + n * (4 * NEAR + GAP + 2) : TOP + 4 * NEAR + GAP;
  }

  sums(): Sum[] {
    return this.boxes.flatMap(({ rows, columns }, n) =>
      rows.flatMap((row, down) =>
        columns.map((column, over) => ({
          row,
          column,
          x: LEFT + this.along(over),
          y: this.top(n) + this.along(down),
        })),
      ),
    );
  }

  brought(): Brought[] {
    return this.boxes.flatMap((box, n) => (this.kept === "pairs" ? this.pairs(box, n) : this.strips(box, n)));
  }

  /** Whether it came in this step: where one sum is kept, a number of A stays for a row of B. */
  comes({ matrix }: Brought): boolean {
    return this.kept !== "one" || matrix === 1 || this.boxes[0]!.columns[0] === 0;
  }

  private number(
    matrix: 0 | 1,
    row: number,
    column: number,
    of: string,
  ): Pick<Brought, "mark" | "from" | "matrix" | "at"> {
    const { name, x, y } = corners(this.event.touched.shape[1]!)[matrix]!;
    const from = `${name} ${row} ${column}`;
    return { mark: `near ${from} ${of}`, from, matrix, at: [x + column + 0.5, y + row + 0.5] };
  }

  /** A strip of A beside the sums and a strip of B above them, for all of them. */
  private strips({ rows, columns, inner }: Box, n: number): Brought[] {
    const size = SIZE;
    return inner.flatMap((k, deep) => {
      const back = GAP + NEAR * (inner.length - deep);
      const top = this.top(n);
      return [
        ...rows.map((i, down) => {
          return { ...this.number(0, i, k, `${n}`), x: LEFT - back, y: top + this.along(down), size };
        }),
        ...columns.map((j, over) => {
          return { ...this.number(1, k, j, `${n}`), x: LEFT + this.along(over), y: top - back, size };
        }),
      ];
    });
  }

  /** A number of A and one of B for each sum, in its own thread. */
  private pairs({ rows, columns, inner }: Box, n: number): Brought[] {
    const [k] = inner as [number];
    const size = 0.4 * NEAR;
    return rows.flatMap((i, down) =>
      columns.flatMap((j, over) => {
        const [x, y] = [LEFT + this.along(over) + 0.1, this.top(n) + this.along(down) + 0.1];
        return [
          { ...this.number(0, i, k, `of ${j}`), x, y, size },
          { ...this.number(1, k, j, `of ${i}`), x: x + NEAR / 2, y, size },
        ];
      }),
    );
  }

  /** What belongs together: a core's registers, or the squares that threads share. */
  frames(): Frame[] {
    return this.boxes.flatMap(({ rows, columns, inner }, n) => {
      const [x, y] = [LEFT - 0.5, this.top(n) - 0.5];
      const [wide, high] = [columns, rows].map((of) => this.along(of.length - 1) + NEAR + 0.8) as [
        number,
        number,
      ];
      const deep = NEAR * inner.length;
      const back = GAP + deep;
      if (this.kept === "pairs") return [];
      if (this.kept !== "squares")
        return [{ mark: `core ${n}`, x: x - back, y: y - back, wide: wide + back, high: high + back }];
      return [
        { mark: "shared A", x: x - back, y, wide: deep + 0.8, high },
        { mark: "shared B", x, y: y - back, wide, high: deep + 0.8 },
      ];
    });
  }

  /** Numbers that one instruction works on: of B, and of each row of C. */
  vectors(): Frame[] {
    if (!VECTORS.includes(this.event.stage)) return [];
    return this.boxes.flatMap(({ rows, columns }, n) =>
      [-1, ...rows.keys()].map((down) => ({
        mark: `vector ${n} ${down}`,
        x: LEFT,
        y: this.top(n) + (down < 0 ? -GAP - NEAR : NEAR * down),
        wide: NEAR * columns.length - (NEAR - SIZE),
        high: SIZE,
      })),
    );
  }
}
