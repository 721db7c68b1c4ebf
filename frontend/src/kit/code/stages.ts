/** The items of a listing for each stage of the front end. */
import type { Item } from "./links";

interface Branch {
  depth: number;
  role: string;
  kind: string;
  detail: string;
}
const WORDS: Record<string, string> = {
  Evaluate: "expression",
  Declare: "declaration",
  Definition: "function",
  SizeOf: "sizeof",
};

export const tokenItems = (tokens: readonly { kind: string; text: string }[]): Item[] =>
  tokens.map(({ kind, text }) => ({ text, title: kind }));

export const treeItems = (nodes: readonly Branch[]): Item[] =>
  nodes.map(({ depth, role, kind, detail }) => {
    const word = WORDS[kind] ?? kind.toLowerCase();
    return {
      depth,
      text: detail ? `${word} ${detail}` : word,
      ...(role && { title: role.replace("_", " ") }),
    };
  });

export const codeItems = (code: readonly { text: string; op: string; routine: string }[]): Item[] =>
  code.map(({ text, op }, index) => ({ text, note: String(index), head: op === "label" }));

interface Part {
  number: number;
  routine: string;
  before: readonly number[];
  dominator: number;
}
interface Valued {
  block: number;
  text: string;
  code: number;
  defines: string;
  uses: readonly string[];
}

/** Lines of values below the heads of their blocks; `line` is undefined for a head. */
export function valueItems(
  blocks: readonly Part[],
  values: readonly Valued[],
): { item: Item; line?: Valued }[] {
  return blocks.flatMap((block) => {
    const from = block.before.map((number) => `B${number}`).join(", ");
    const text = `B${block.number}${from ? `, from ${from}` : `, ${block.routine} begins`}`;
    const lines = values.filter(({ block: number }) => number === block.number);
    return [
      { item: { text, head: true } },
      ...lines.map((line) => ({ item: { text: line.text, depth: 1 }, line })),
    ];
  });
}

type Change = "same" | "new" | "gone";

/** `diff` where the lines that went and came are marked. */
export const irItems = (ir: readonly { text: string; change: Change }[], diff: boolean): Item[] =>
  ir.map(({ text, change }) => ({ text, head: /^(\S+:|define|\})/.test(text), ...(diff && { change }) }));

interface Row {
  text: string;
  address: number;
  size: number;
}
const hex = (value: number, width: number) => value.toString(16).padStart(width, "0");

export const rowItems = (rows: readonly Row[], data: Uint8Array): Item[] =>
  rows.map(({ text, address, size }) => ({
    text,
    head: text.endsWith(":"),
    ...(data.length > 0 && {
      note: address < 0 ? "" : hex(address, 2),
      address,
      bytes: Array.from(size > 0 ? data.subarray(address, address + size) : [], (byte) => hex(byte, 2)),
    }),
  }));
