/** Names of places along the axes of an event's arrays and lists, as its lab declares them. */
import { cell, type Scalar } from "../export/table.ts";
import type { NdArray } from "../runner/array.ts";
import type { RunEvent } from "../runner/types.ts";

export interface Axis {
  name: string;
  names?: string[];
  /** The field of the event that lists them: `ways`, or `ways.name` where each is a field of what is listed. */
  of?: string;
}

/** By kind and field: `orders.took`. */
export type Axes = Record<string, Axis[]>;

/** What the places of an axis are called in this event; undefined where they are only numbered. */
export function namesOf(axis: Axis, event: RunEvent): string[] | undefined {
  if (!axis.of) return axis.names;
  const [list = "", field] = axis.of.split(".");
  const listed = (event as unknown as Record<string, NdArray | unknown[]>)[list]!;
  if (!Array.isArray(listed))
    return Array.from(listed.data, (_, at) => String(cell({ ...listed, name: list }, at)));
  return listed.map((item) => String(field ? (item as Record<string, Scalar>)[field] : item));
}

/** The place along an axis of a field that a name or, where there are none, a number says. */
export function placeOf(
  key: string,
  field: string,
  axis: Axis | undefined,
  length: number,
  event: RunEvent,
): number {
  const names = axis && namesOf(axis, event);
  const place = names ? names.indexOf(key) : /^\d+$/.test(key) ? Number(key) : -1;
  if (place < 0 || place >= length)
    throw new Error(
      names
        ? `has no ${axis!.name} called ${key} in ${field}; there are ${names.join(", ")}`
        : `has no ${key} in ${field}; its ${length} items have numbers from 0 on`,
    );
  if (names && names.lastIndexOf(key) !== place)
    throw new Error(`has more than one ${axis!.name} called ${key} in ${field}`);
  return place;
}
