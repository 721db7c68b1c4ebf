/** SVG paths in the 100 × 100 box of a Plot. */
import type { Scale } from "./scale";

const short = (value: number) => Math.round(value * 100) / 100;

/** The outline of a histogram with equal bins from `low` to `high`. */
export function histogram(bins: ArrayLike<number>, low: number, high: number, x: Scale, y: Scale): string {
  const width = (high - low) / bins.length;
  let path = `M${short(x.at(low))} 100`;
  let height = 100;
  for (let i = 0; i < bins.length; i++) {
    const top = short(100 - y.at(bins[i]!));
    if (top !== height) path += `H${short(x.at(low + i * width))}V${top}`;
    height = top;
  }
  return `${path}H${short(x.at(high))}V100Z`;
}

/** Vertical lines from the axis up to each value: one path, however many there are. */
export function stems(at: ArrayLike<number>, values: ArrayLike<number>, x: Scale, y: Scale): string {
  let path = "";
  for (let i = 0; i < at.length; i++) {
    if (values[i]! > 0) path += `M${short(x.at(at[i]!))} 100V${short(100 - y.at(values[i]!))}`;
  }
  return path;
}

/** A line through points; NaN breaks it. */
export function line(xs: ArrayLike<number>, ys: ArrayLike<number>, x: Scale, y: Scale): string {
  let path = "";
  let pen = "M";
  for (let i = 0; i < xs.length; i++) {
    if (Number.isNaN(ys[i]!)) pen = "M";
    else {
      path += `${pen}${short(x.at(xs[i]!))} ${short(100 - y.at(ys[i]!))}`;
      pen = "L";
    }
  }
  return path;
}
