/** The rows of a drawing for each stage of a program, and what each is called in the next one. */
import type { Line, Part, Valued } from "../../generated/bits/code_front/types";
import type { Row as Coded, Spot } from "../../generated/bits/code_to_bytes/types";
import { spanKey } from "./links";

/** What a front end makes of a program: the kinds of events, and their names. */
export const ROAD = [
  ["tokens", "Tokens"],
  ["tree", "Tree"],
  ["code", "Three-address code"],
  ["values", "SSA form"],
] as const;

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

/** A line of a stage, or the head of a block. */
export interface Row {
  text: string;
  /** What it is known by from picture to picture. */
  key: string;
  /** The marks of an earlier picture that it comes out of. */
  from?: string;
  /** The line of three-address code that it comes from; -1 for none. */
  code: number;
  /** The line of LLVM's code that it comes from, or is; -1 for none. */
  ir?: number;
  /** The name of the function or the block that begins here. */
  label?: string;
  /** A function begins here. */
  starts?: boolean;
  /** The blocks that it may lead to. */
  jumps?: readonly string[];
  change?: Spot["change"];
  /** It fetches or keeps a variable. */
  memory?: boolean;
  address?: number;
  bytes?: string[];
}

/** With a number for each but the first of those that have the same key. */
function numbered(rows: readonly Row[]): Row[] {
  const met = new Map<string, number>();
  return rows.map((row) => {
    const gone = row.change === "gone";
    const key = gone ? `gone ${row.key}` : row.key;
    const count = (met.get(key) ?? 0) + 1;
    met.set(key, count);
    const from = gone ? row.key : row.from;
    return { ...row, key: count > 1 ? `${key}/${count}` : key, ...(from && { from }) };
  });
}

const head = (label: string, text = label): Row => ({ text, label, key: `head ${label}`, code: -1 });
const start = (name: string, text = name): Row => ({ ...head(name, text), starts: true });
const named = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name = ""]) => name);
const JUMP = /(?:goto|else) (\w+)/g;

export const codeRows = (code: readonly Line[]): Row[] =>
  numbered(
    code.flatMap(({ text, op, routine, ...span }, index) => [
      ...(code[index - 1]?.routine === routine ? [] : [start(routine)]),
      op === "label"
        ? head(text.replace(":", ""))
        : {
            ...{ text, code: index, key: `code ${index}`, from: spanKey(span) },
            ...{ memory: op === "load" || op === "store", jumps: named(text, JUMP) },
          },
    ]),
  );

export const valueRows = (blocks: readonly Part[], values: readonly Valued[]): Row[] =>
  numbered(
    blocks.flatMap(({ number, routine, before }) => [
      ...(before.length === 0 ? [start(routine)] : []),
      head(`B${number}`),
      ...values
        .filter(({ block }) => block === number)
        .map(({ text, code, defines }) => ({
          ...{ text, code, key: code < 0 ? `new ${defines || text}` : `value ${code}` },
          ...{ from: `code ${code}`, jumps: named(text, JUMP) },
        })),
    ]),
  );

/** What a line of LLVM's code sets, else what it does. */
const does = (text: string) => /^(%\S+) =/.exec(text)?.[1] ?? text.split(" ")[0]!;

/** `diff` where the lines that went and came are marked. What is left out says nothing that blocks do not. */
export const irRows = (ir: readonly Spot[], diff: boolean): Row[] =>
  numbered(
    ir.flatMap(({ text: line, code, change }, index): Row[] => {
      const text = line.trim();
      if (text === "" || text === "}") return [];
      const marked = diff ? { change } : {};
      const name = /^define .*@([^(]+)/.exec(text)?.[1];
      if (name) return [{ ...start(name, text.replace(/^define (.*) \{$/, "$1")), ...marked }];
      if (!line.startsWith(" ")) return [{ ...head(`%${text.split(":")[0]!}`, text), ...marked }];
      return [
        {
          ...{ text, code, ir: index, key: `ir ${code} ${does(text)}`, from: `value ${code}|code ${code}` },
          ...{ memory: /^(store|\S+ = (load|alloca)) /.test(text), jumps: named(text, /label (%[^,\s]+)/g) },
          ...marked,
        },
      ];
    }),
  );

const hex = (value: number, width = 2) => value.toString(16).padStart(width, "0");

/** Lines of machine code, and the bytes of those that have any. */
export function machineRows(rows: readonly Coded[], ir: readonly Spot[], data: Uint8Array): Row[] {
  const keys = new Map(irRows(ir, false).map(({ ir: at, key }) => [at, key]));
  return numbered(
    rows.map(({ text: line, ir: at, address, size }): Row => {
      const text = line.trim();
      const label = /^(?:bb\.(\d+)\S*|(\S+)):$/.exec(text);
      if (label?.[1]) return head(`%bb.${label[1]}`, text);
      if (label) return /^[.$]/.test(text) ? head(label[2]!, text) : start(label[2]!, text);
      const from = keys.get(at);
      return {
        ...{
          text,
          code: ir[at]?.code ?? -1,
          ir: at,
          key: `row ${at < 0 ? text : at}`,
          ...(from && { from }),
        },
        ...{ jumps: / PHI /.test(text) ? [] : named(text, /(%bb\.\d+|[.$]L\w*BB\w+)/g) },
        ...(size > 0 && {
          address,
          bytes: Array.from(data.subarray(address, address + size), (byte) => hex(byte)),
        }),
      };
    }),
  );
}

/** Where something is, in hexadecimal. */
export const place = (address: number): string => hex(address);
