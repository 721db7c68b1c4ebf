import type { Event } from "../../../generated/pytorch/wheel_tags/types";
import type { Colour } from "../../../kit/concept";

type Wheel = Event["wheels"][number];

/** Where a wheel stands on the map: -1 is a row or a column that the map does not have. */
export interface Place {
  wheel: Wheel;
  letter: string;
  row: number;
  /** As many as there are platforms for the column of `any`. */
  column: number;
  /** How many before it stand outside at the same edge. */
  nth: number;
}

export const colour = (abi: string): Colour =>
  abi === "none" ? "series-5" : abi.startsWith("abi3") ? "series-3" : "series-1";

/** The pairs of Python and ABI, and which of them are accepted with `any` as well: these come a second time. */
export function pairs({ bands }: Event): { name: string; abi: string; any: boolean }[] {
  const names = bands.map(({ python, abi }) => `${python}-${abi}`);
  return bands
    .map(({ abi }, n) => ({ name: names[n]!, abi, any: names.lastIndexOf(names[n]!) > n }))
    .filter(({ name }, n) => names.indexOf(name) === n);
}

/** Letters follow the names of the files, and stay with them. */
export function places(event: Event): Place[] {
  const rows = pairs(event).map(({ name }) => name);
  const met = new Map<string, number>();
  return event.wheels
    .toSorted((one, other) => (one.file < other.file ? -1 : 1))
    .map((wheel, n) => {
      const row = rows.indexOf(`${wheel.python}-${wheel.abi}`);
      const at = wheel.platform
        .split(".")
        .map((each) => (each === "any" ? event.platforms.length : event.platforms.indexOf(each)))
        .filter((each) => each >= 0);
      const column = at.length ? Math.min(...at) : -1;
      const edge = row < 0 ? `top ${column}` : column < 0 ? `right ${row}` : "";
      const nth = met.get(edge) ?? 0;
      if (wheel.state !== "waiting") met.set(edge, nth + 1);
      return { wheel, letter: String.fromCharCode(65 + n), row, column, nth };
    });
}
