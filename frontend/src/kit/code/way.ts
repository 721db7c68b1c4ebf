/** What stands between a part of the program and what is pointed at, stage by stage. */
import type { Branch, Line } from "../../generated/bits/code_front/types";
import type { Spot } from "../../generated/bits/code_to_bytes/types";
import { nodeWords, type Row } from "./stages";
import { parentOf } from "./syntax";

export interface Step {
  name: string;
  text: string;
}

/** The row of a stage, which is called `name`. */
export function rowWay(
  row: Row,
  name: string,
  source: string,
  code: readonly Line[],
  ir: readonly Spot[],
): Step[] {
  const line = code[row.code];
  const told = [
    ...(line
      ? [
          { name: "C", text: source.slice(line.start, line.end).replace(/\s+/g, " ") },
          { name: "three-address", text: line.text },
        ]
      : []),
    { name: "LLVM", text: ir[row.ir ?? -1]?.text.trim() ?? "" },
    { name, text: row.text },
    { name: "bytes", text: row.bytes?.join(" ") ?? "" },
  ].filter(({ text }) => text !== "");
  return told.filter(({ text }, at) => text !== told[at + 1]?.text);
}

/** From the root of the tree to a node. */
export function nodeWay(nodes: readonly Branch[], node: number): Step[] {
  const found: Step[] = [];
  for (let at = node; at >= 0; at = parentOf(nodes, at)) {
    const { role } = nodes[at]!;
    const { title } = nodeWords(nodes[at]!);
    found.unshift({
      name: role.replace("_", " ") || "program",
      text: role ? title.slice(role.length + 2) : title,
    });
  }
  return found;
}
