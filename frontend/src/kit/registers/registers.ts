/** The colours of registers, and whose register a name has. */
import type { Picture } from "../../generated/bits/register_allocation/types";
import type { Concept } from "../concept";

export const COLOURS: Concept[] = [
  "weight",
  "code",
  "scale",
  "gradient",
  "address",
  "range",
  "activation",
  "zero",
];

/** What a mark of a line says of a name; their sums are sent. */
export const [SET, READ, BEHIND] = [1, 2, 4] as const;

/** The colour of a name: its register's, or that of what is lost if it went to memory. */
export function colours(event: Picture): (name: string) => Concept | undefined {
  const home = new Map(event.nodes.flatMap((node) => node.joined.map((name) => [name, node] as const)));
  return (name) => {
    const node = home.get(name);
    if (node?.state === "spilled") return "clipped";
    return node && node.register >= 0 ? COLOURS[node.register] : undefined;
  };
}
