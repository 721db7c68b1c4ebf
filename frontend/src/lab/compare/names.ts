/** What the fields of an event are called for a reader: places by the names that their axes give them. */
import { namesOf, type Axes, type Axis } from "../axes.ts";
import type { LabEvent } from "../../runner/types.ts";

const words = (field: string) => field.replaceAll("_", " ");
const isNumber = (name: string) => name !== "" && Number.isFinite(Number(name));

/** The place `at` of an axis: "packed", but "size 512", since a number alone says little. */
function placeName(axis: Axis | undefined, at: number, event: LabEvent): string {
  const name = axis && namesOf(axis, event)?.[at];
  if (name === undefined) return axis ? `${words(axis.name)} ${at}` : String(at);
  return isNumber(name) ? `${words(axis!.name)} ${name}` : name;
}

/** A field by its path in the event: `ways[2].took_median` is "ways, numpy, took median". An item of a list that no axis
 *  names goes by its own name. */
export function fieldName(path: string, event: LabEvent, axes: Axes): string {
  let value: unknown = event;
  let field = event.kind;
  const parts: string[] = [];
  for (const [, name, place] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    value = (value as Record<string, unknown> | undefined)?.[name ?? place!];
    if (name !== undefined) {
      field += `.${name}`;
      parts.push(words(name));
      continue;
    }
    const axis = axes[field]?.[0];
    const own = (value as { name?: unknown } | undefined)?.name;
    parts.push(!axis && typeof own === "string" ? own : placeName(axis, Number(place), event));
  }
  return parts.join(", ");
}

/** The names of the `at`-th number of an array, one an axis. */
export function placeNames(
  path: string,
  shape: readonly number[],
  at: number,
  event: LabEvent,
  axes: Axes,
): string[] {
  const known = axes[`${event.kind}.${path.replace(/\[\d+\]/g, "")}`] ?? [];
  const names: string[] = [];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    names.unshift(placeName(known[axis], at % shape[axis]!, event));
    at = Math.floor(at / shape[axis]!);
  }
  return names;
}
