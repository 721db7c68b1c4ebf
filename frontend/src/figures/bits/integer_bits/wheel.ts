/** Patterns of bits on a wheel: 0 at the top, one more a step further clockwise, and after the last pattern 0 again.
 *  Without a sign it is cut open at the top, with one at the bottom. Angles are in turns. */
import type { Event, Row } from "../../../generated/bits/integer_bits/types";

export type Reading = "signed" | "unsigned";

export interface Dot {
  name: string;
  pattern: bigint;
}

/** A way along the wheel, from a number as far as to another. */
export interface Way {
  key: string;
  reading: Reading;
  from: bigint;
  to: bigint;
  /** Below zero, or a weight below zero. */
  back: boolean;
}

const number = (bits: string) => BigInt(`0b${bits}`);
export const signed = (pattern: bigint, width: number): bigint => BigInt.asIntN(width, pattern);
/** Of the whole wheel. */
export const turn = (value: bigint, width: number): number =>
  Number((value * 1_000_000n) / (1n << BigInt(width))) / 1_000_000;

export function point(at: number, radius: number): [number, number] {
  const angle = 2 * Math.PI * at;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

const SIDES = 48;
const GAP = 0.005; // turns
/** As many corners for each arc, so that one can become another. */
export function arc(start: number, end: number, radius: number): string {
  // A gap tells ways apart that follow one another.
  const gap = Math.sign(end - start) * Math.min(GAP, Math.abs(end - start) / 6);
  const [from, to] = [start + gap, end - gap];
  const corners = Array.from({ length: SIDES + 1 }, (_, n) => {
    const [x, y] = point(from + ((to - from) * n) / SIDES, radius);
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  });
  return `M${corners.join("L")}`;
}

const known = (rows: Row[]) => rows.filter(({ name, bits }) => name !== "carry" && /^[01]+$/.test(bits));
const named = (event: Event, name: string) => {
  const found = known(event.rows).find((row) => row.name === name);
  return found && number(found.bits);
};

/** While a sum is written, the wheel has only the places of the bits that are written. */
export const places = (event: Event): number => (event.at === null ? event.width : event.at + 1);

export function dots(event: Event): Dot[] {
  const rows = known(event.rows);
  const all = rows.length ? rows : [{ name: "a", bits: event.bits }];
  return all.map(({ name, bits }) => ({ name, pattern: number(bits) }));
}

/** From zero, one weight after another. */
function weights(event: Event, reading: Reading): Way[] {
  let from = 0n;
  return [...event.bits].flatMap((bit, n) => {
    if (bit === "0") return [];
    const back = n === 0 && reading === "signed";
    const size = 1n << BigInt(event.width - 1 - n);
    const to = back ? from - size : from + size;
    const way = { key: `${reading} bit ${n}`, reading, from, to, back };
    from = to;
    return [way];
  });
}

const BOTH: Reading[] = ["unsigned", "signed"];

/** What is gone along: to the number itself, by its weights, or by what is added to it. */
export function ways(event: Event): Way[] {
  const { width, stage } = event;
  const a = number(event.bits);
  const read = (pattern: bigint, reading: Reading) =>
    reading === "signed" ? signed(pattern, width) : pattern;
  const way = (key: string, reading: Reading, from: bigint, by: bigint): Way => {
    return { key: `${reading} ${key}`, reading, from, to: from + by, back: by < 0n };
  };
  if (stage === "number") return BOTH.map((reading) => way("0", reading, 0n, read(a, reading)));
  if (stage === "weights") return BOTH.flatMap((reading) => weights(event, reading));
  if (stage === "negate") return [way("1", "signed", named(event, "~a")!, 1n)];
  /** To a, and then on by what is added to it. */
  const added = (by: bigint) =>
    BOTH.flatMap((reading) => [
      way("0", reading, 0n, read(a, reading)),
      way("1", reading, read(a, reading), read(by, reading)),
    ]);
  if (stage === "check") return added(named(event, "−a")!);
  const b = named(event, "b");
  if (b === undefined) return [];
  if (stage === "flags") return added(b);
  const low = (pattern: bigint) => BigInt.asUintN(places(event), pattern);
  return [way("0", "unsigned", 0n, low(a)), way("1", "unsigned", low(a), low(b))];
}

/** Hexadecimal digits as bits. */
export const binary = (hex: string): string =>
  [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");

/** A 1 where two patterns differ; nothing if they are the same, or one of them is not there. */
export function differing(one: string, other: string): string {
  if (!one || !other || one === other) return "";
  return [...one].map((bit, n) => (bit === other[n] ? "0" : "1")).join("");
}

/** A number in few signs: whole, or as a power of two where it is one, with what follows ^ to be raised. */
export function brief(value: bigint): string {
  const size = value < 0n ? -value : value;
  const sign = value < 0n ? "−" : "";
  if (size < 1000n) return `${sign}${size}`;
  const zeros = /0*$/.exec(size.toString(2))![0].length;
  const odd = size >> BigInt(zeros);
  return odd === 1n ? `${sign}2^${zeros}` : odd < 10n ? `${sign}${odd}·2^${zeros}` : `${sign}${size}`;
}
