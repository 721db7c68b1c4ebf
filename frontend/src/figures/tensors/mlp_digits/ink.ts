/** Drawings of 8 by 8 pixels as the labs write them: a character for each, from paper to ink, a space between rows. */
export const SIDE = 8;
export const DARKEST = 16;
const INKS = ".123456789abcdefg";

/** The pixels of a drawing; undefined where the text is none. */
export function pixelsOf(text: string): number[] | undefined {
  const found = [...text.toLowerCase().replaceAll("0", ".").replace(/\s/g, "")].map((one) =>
    INKS.indexOf(one),
  );
  return found.length === SIDE * SIDE && !found.includes(-1) ? found : undefined;
}

export function textOf(pixels: ArrayLike<number>): string {
  const inks = Array.from(pixels, (pixel) => INKS[pixel]!);
  return Array.from({ length: SIDE }, (_, row) => inks.slice(row * SIDE, (row + 1) * SIDE).join("")).join(
    " ",
  );
}

/** A pen on a finer sheet, of which each pixel counts 4 by 4 dots: so the digits of the data set were made. */
export class Stroke {
  private readonly dots = new Set<number>();
  private last: [number, number] | undefined;
  private readonly before: number[];
  private readonly erases: boolean;

  constructor(before: number[], erases: boolean) {
    this.before = before;
    this.erases = erases;
  }

  /** Lead the pen to a place, in pixels, and return the drawing. */
  to(x: number, y: number): number[] {
    const [fromX, fromY] = this.last ?? [x, y];
    const pieces = Math.max(1, Math.ceil(8 * Math.hypot(x - fromX, y - fromY)));
    for (let i = 0; i <= pieces; i++)
      this.press(fromX + ((x - fromX) * i) / pieces, fromY + ((y - fromY) * i) / pieces);
    this.last = [x, y];
    const counts = new Array<number>(SIDE * SIDE).fill(0);
    for (const dot of this.dots) counts[(dot >> 7) * SIDE + ((dot & 31) >> 2)]!++;
    return this.before.map((value, i) =>
      this.erases ? Math.min(value, DARKEST - counts[i]!) : Math.max(value, counts[i]!),
    );
  }

  private press(x: number, y: number): void {
    const radius = 2.4;
    for (let row = 0; row < 32; row++)
      for (let column = 0; column < 32; column++)
        if (Math.hypot(column + 0.5 - 4 * x, row + 0.5 - 4 * y) <= radius) this.dots.add(row * 32 + column);
  }
}
