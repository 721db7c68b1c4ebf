/** Pictures of what a network answers over a square: bytes, rows upwards. An output y of 0 to 1 is
 *  127 ± 127·√|2y − 1|, in fine steps around one half, where it is undecided. */

export interface Shade {
  d: string;
  /** Above or below the middle. */
  above: boolean;
  opacity: number;
}

const LEVELS = 8; // each way from the middle, which is left blank

/** One path for each shade, of runs of squares along a row: `across` each way, as many pictures as there are bytes
 *  for, `columns` of them beside each other, `apart` squares from the next. */
export function shades(bytes: ArrayLike<number>, across: number, columns = 1, apart = 0): Shade[] {
  const paths = new Map<number, string>();
  const level = (i: number) => {
    const root = (bytes[i]! - 127) / 127;
    return Math.round(LEVELS * root * Math.abs(root));
  };
  for (let start = 0; start < bytes.length; start += across) {
    const row = start / across;
    const [picture, up] = [Math.floor(row / across), row % across];
    const left = (picture % columns) * (across + apart);
    const top = Math.floor(picture / columns) * (across + apart) + across - 1 - up;
    for (let x = 0; x < across;) {
      const shade = level(start + x);
      let end = x + 1;
      while (end < across && level(start + end) === shade) end++;
      if (shade !== 0)
        paths.set(shade, `${paths.get(shade) ?? ""}M${left + x} ${top}h${end - x}v1h${x - end}z`);
      x = end;
    }
  }
  return [...paths]
    .sort(([one], [other]) => one - other)
    .map(([shade, d]) => ({ d, above: shade > 0, opacity: Math.abs(shade) / LEVELS }));
}

/** Where the answer is one half: a path through the middles of the squares, straight between two of them. */
export function boundary(bytes: ArrayLike<number>, across: number): string {
  let path = "";
  for (let row = 0; row + 1 < across; row++)
    for (let column = 0; column + 1 < across; column++) {
      const ends: string[] = [];
      const corner = (i: number) => [column + (i === 1 || i === 2 ? 1 : 0), row + (i > 1 ? 1 : 0)] as const;
      for (let side = 0; side < 4; side++) {
        const [[x, y], [u, v]] = [corner(side), corner((side + 1) % 4)];
        const [from, to] = [bytes[y * across + x]! - 127, bytes[v * across + u]! - 127];
        if (from > 0 === to > 0) continue;
        const share = from / (from - to);
        ends.push(`${short(x + share * (u - x) + 0.5)} ${short(across - 0.5 - (y + share * (v - y)))}`);
      }
      for (let i = 0; i + 1 < ends.length; i += 2) path += `M${ends[i]}L${ends[i + 1]}`;
    }
  return path;
}

const short = (value: number) => Math.round(value * 100) / 100;
