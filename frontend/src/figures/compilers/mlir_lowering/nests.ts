/** Loops as boxes within boxes: where each stands in the grid of its nest, and what it touches of each array. */
import type { Buffer, Row } from "../../../generated/compilers/mlir_lowering/types";

export interface Box {
  /** Its place in the tree of loops, which it keeps from stage to stage. */
  key: string;
  row: Row;
  /** Among the rows of the event. */
  index: number;
  depth: number;
  /** Columns of the grid, one for each innermost loop. */
  from: number;
  to: number;
  touches: Touch[];
}

export interface Nest {
  columns: number;
  depth: number;
  boxes: Box[];
}

/** What a loop does with one element of an array each time, and where that goes from one time to the next. */
export interface Touch {
  key: string;
  name: string;
  reads: number;
  writes: number;
  /** The last two of its dimensions: the columns, and before them the rows. */
  across: Side;
  down: Side;
}

interface Side {
  /** Of the array, that this loop and those inside its tile reach: 0 for a dimension that is not there. */
  share: number;
  moves: boolean;
  /** At once. */
  lanes: number;
}

const NONE: Side = { share: 0, moves: false, lanes: 1 };

/** The place in a tree, walked in its order, of the next node of this depth. */
export const following = (places: readonly number[], depth: number): number[] => [
  ...places.slice(0, depth),
  (places[depth] ?? -1) + 1,
];

export function nests(rows: readonly Row[], buffers: readonly Buffer[]): Nest[] {
  const shapes = new Map(buffers.map(({ name, shape }) => [name, shape]));
  const met = new Map<string, number>();
  const found: Nest[] = [];
  let path: Box[] = [];
  let places: number[] = [];
  rows.forEach((row, index) => {
    if (row.depth === 0) found.push({ columns: 0, depth: 0, boxes: [] });
    const nest = found.at(-1)!;
    places = following(places, row.depth);
    path = path.slice(0, row.depth);
    const innermost = (rows[index + 1]?.depth ?? 0) <= row.depth;
    if (innermost) nest.columns++;
    const around = [...path.map((each) => each.row), row];
    const from = innermost ? nest.columns - 1 : nest.columns;
    const touches = touched(row, around, shapes, met);
    const box = { key: places.join("."), row, index, depth: row.depth, from, to: from + 1, touches };
    path.push(box);
    for (const outer of path) outer.to = Math.max(outer.to, nest.columns);
    nest.depth = Math.max(nest.depth, row.depth + 1);
    nest.boxes.push(box);
  });
  return found;
}

/** Each element once, however often it is read and written. */
function touched(
  row: Row,
  around: readonly Row[],
  shapes: ReadonlyMap<string, number[]>,
  met: Map<string, number>,
): Touch[] {
  const all = new Map<string, Touch>();
  const note = (access: string, what: "reads" | "writes") => {
    if (!all.has(access)) {
      const [name = "", index] = access.split(/\[|\]/);
      met.set(name, (met.get(name) ?? 0) + 1);
      const sides = (index?.split(", ") ?? []).map((each, n) =>
        side(each, row, around, shapes.get(name)?.[n]),
      );
      const [down, across] = sides.length > 1 ? sides.slice(-2) : [NONE, sides[0]];
      const whole = { ...NONE, share: 1 };
      all.set(access, {
        key: `${name} ${met.get(name)}`,
        name,
        reads: 0,
        writes: 0,
        across: across ?? whole,
        down: across ? down! : whole,
      });
    }
    all.get(access)![what]++;
  };
  for (const each of row.reads) note(each, "reads");
  for (const each of row.writes) note(each, "writes");
  return [...all.values()];
}

function side(index: string, own: Row, around: readonly Row[], extent: number | undefined): Side {
  const named = around.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(index));
  if (named.length === 0) return /[a-z%]/.test(index) ? { ...NONE, share: 1 } : NONE;
  const reach = named.reduce((sum, { trips, step }) => sum + trips * step, 0);
  const share = extent && reach > 0 ? Math.min(1, reach / extent) : 1;
  const lanes = Math.max(...named.map(({ kind, step }) => (kind === "vector" ? step : 1)));
  return { share, moves: named.includes(own), lanes };
}
