/** Where patterns of bits lie on two axes: read without a sign, and with one. In percent of an axis. */
export interface Mark {
  name: string;
  /** Without a sign, and with one. */
  at: [number, number];
}

const percent = (pattern: bigint, width: number) =>
  Number((pattern * 100_000n) / (1n << BigInt(width))) / 1000;
const pattern = (bits: string) => BigInt(`0b${bits}`);

/** The signed axis begins at the lowest number: half of all patterns further left. */
function places(value: bigint, width: number): [number, number] {
  const half = 1n << BigInt(width - 1);
  const all = 1n << BigInt(width);
  return [percent(value, width), percent((value + half) % all, width)];
}

/** Lines of bits that are known to the last. */
export const marks = (rows: { name: string; bits: string }[]): Mark[] =>
  rows
    .filter(({ name, bits }) => name !== "carry" && /^[01]+$/.test(bits))
    .map(({ name, bits }) => ({ name, at: places(pattern(bits), bits.length) }));

/** The weights of the ones, laid end to end from zero; each a span of the axis. */
export function hops(bits: string, signed: boolean): { from: number; to: number }[] {
  const zero = signed ? 50 : 0;
  let from = zero;
  return [...bits].flatMap((bit, n) => {
    if (bit === "0") return [];
    const size = 100 / 2 ** (n + 1);
    const to = signed && n === 0 ? from - size : from + size;
    const hop = { from, to };
    from = to;
    return [hop];
  });
}
