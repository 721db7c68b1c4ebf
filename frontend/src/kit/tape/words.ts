/** Numbers of tensors in words, and the bytes that they are. */
import type { Grid } from "../../generated/tensors/autograd_tape/types";
import { say } from "../scale";

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

const WRITE: { [dtype: string]: [number, (view: DataView, value: number) => void] } = {
  float64: [8, (view, value) => view.setFloat64(0, value, true)],
  float32: [4, (view, value) => view.setFloat32(0, value, true)],
  int64: [8, (view, value) => view.setBigInt64(0, BigInt(Math.round(value)), true)],
  int32: [4, (view, value) => view.setInt32(0, value, true)],
  bool: [1, (view, value) => view.setUint8(0, value)],
};

/** The bytes of one number in memory, the lowest first, in hexadecimal. */
export function bytesOf(value: number | string, dtype: string): string[] {
  const known = WRITE[dtype];
  if (!known) return [];
  const [size, write] = known;
  const view = new DataView(new ArrayBuffer(size));
  write(view, typeof value === "number" ? value : ({ inf: Infinity, "-inf": -Infinity }[value] ?? NaN));
  return Array.from(new Uint8Array(view.buffer), (byte) => byte.toString(16).padStart(2, "0"));
}
