/** A graph of operations as learning/backprop_step draws it: where edges run, and formulas with names or numbers in. */
import type { Picture } from "../../../generated/learning/backprop_step/types";
import { say } from "../../../kit/scale";

export type Quantity = number | string | null | undefined;

/** inf and nan are words; what is not known yet is three dots. */
export const told = (value: Quantity, digits = 4): string =>
  value == null ? "…" : typeof value === "string" ? value.replace("-", "−") : say(value, digits);

/** How wide a drawing is, in layers and in slots; never nothing. */
export interface Extent {
  layers: number;
  slots: number;
}

export const extentOf = ({ layers, slots, bends }: Picture): Extent => ({
  layers: Math.max(1, ...layers),
  slots: Math.max(1, ...slots, ...bends.flat()),
});

const FLAT = 0.36; // of the way to the next layer an edge runs straight, so as not to cross the nodes of its own
const PORTS = 0.2; // slots between edges that end at one node

/** The stops of each edge: a slot in each layer from its source to its target. */
export function stopsOf({ slots, sources, targets, bends }: Picture): number[][] {
  return targets.map((target, edge) => {
    const inside = [slots[sources[edge]!]!, ...bends[edge]!];
    return [...inside, slots[target]! + port(edge)];
  });

  /** Edges end beside each other, in the order in which they come. */
  function port(edge: number): number {
    const before = (each: number) => bends[each]!.at(-1) ?? slots[sources[each]!]!;
    const beside = targets.flatMap((target, each) => (target === targets[edge] ? [each] : []));
    beside.sort((one, other) => before(one) - before(other) || one - other);
    return PORTS * (beside.indexOf(edge) - (beside.length - 1) / 2);
  }
}

/** A path through the stops, in the unit square. */
export function pathOf(stops: number[], first: number, { layers, slots }: Extent): string {
  const x = (layer: number) => (layer / layers).toFixed(4);
  const y = (slot: number) => (slot / slots).toFixed(4);
  let path = `M${x(first)} ${y(stops[0]!)}`;
  for (let n = 1; n < stops.length; n++) {
    const [here, from, to] = [first + n - 1, y(stops[n - 1]!), y(stops[n]!)];
    path += `H${x(here + FLAT)}C${x(here + 0.5)} ${from} ${x(here + 0.5)} ${to} ${x(here + 1 - FLAT)} ${to}`;
  }
  return `${path}H${x(first + stops.length - 1)}`;
}

const NODE = /(\(|, |of )?\{(\d+)\}(²| \*\*)?/g;

/** A formula with the names of nodes. */
export const withNames = (formula: string, { names }: Picture): string =>
  formula.replace(/\{(\d+)\}/g, (_, node: string) => names[Number(node)]!);

/** A formula with their values; a minus gets brackets where it needs some. */
export const withValues = (formula: string, { values }: Picture): string =>
  formula.replace(NODE, (_, before = "", node: string, power = "", at: number) => {
    const words = told(values[Number(node)]);
    const bare = (at === 0 || before) && !power;
    return `${before}${words.startsWith("−") && !bare ? `(${words})` : words}${power}`;
  });

const PAIR = /([A-Za-z_α-ωΑ-Ω][\wα-ωΑ-Ω]*)\s*=\s*([-−]?[\d.]+(?:[eE][-−+]?\d+)?)/g;

/** The inputs that a reader moved, by name, out of what the parameter says. */
export const readMoved = (text: string): Map<string, number> =>
  new Map([...text.matchAll(PAIR)].map(([, name, value]) => [name!, Number(value!.replace("−", "-"))]));

/** The same with one more; names that this graph has not are forgotten. */
export function writeMoved(text: string, names: string[], name: string, value: number): string {
  const known = [...readMoved(text)].filter(([each]) => names.includes(each) && each !== name);
  return [...known, [name, value]].map(([each, number]) => `${each}=${number}`).join(" ");
}
