/** The items of a listing for each stage of the front end. */
import { spanKey, type Item, type Span } from "./links";

interface Branch {
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

/** What a node of the tree is called, and what it is to its parent. */
export function nodeWords({ role, kind, detail }: Branch): { text: string; title: string } {
  const word = WORDS[kind] ?? kind.toLowerCase();
  const title = [role && `${role.replace("_", " ")}:`, word, detail].filter(Boolean).join(" ");
  return { text: detail || word, title };
}

interface Coded extends Span {
  text: string;
  op: string;
}
export const codeItems = (code: readonly Coded[]): Item[] =>
  code.map((line, index) => ({
    ...{ text: line.text, note: String(index), head: line.op === "label", from: spanKey(line) },
  }));

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
