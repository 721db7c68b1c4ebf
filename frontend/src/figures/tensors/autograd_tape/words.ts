/** Numbers of tensors in words. */
import type { Grid } from "../../../generated/tensors/autograd_tape/types";
import { say } from "../../../kit/scale";

export const number = (value: number | string) => (typeof value === "number" ? say(value, 4) : value);

export const shape = ({ shape }: Pick<Grid, "shape">) => (shape.length ? `[${shape.join("×")}]` : "number");

/** The numbers themselves where they are few. */
export function brief(grid: Grid): string {
  const [first = []] = grid.rows;
  if (!grid.shape.length) return number(first[0]!);
  const rows = grid.rows.map((row) => `[${row.map(number).join(", ")}]`);
  if (grid.shape.length === 1)
    return first.length > 4 ? `[${first.slice(0, 3).map(number).join(", ")}, …]` : rows[0]!;
  return grid.more || grid.rows.flat().length > 6
    ? `${grid.shape.join("×")} numbers`
    : `[${rows.join(", ")}]`;
}
