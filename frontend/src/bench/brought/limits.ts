/** What no machine can have measured: the last check of a file, after its form. */
import type { Event, Params } from "../../generated/speed/bench/types";
import { at, quartiles } from "../../kit/arrays.ts";
import type { Provenance } from "../../runner/types";

export interface Impossible {
  why:
    "nan" | "order" | "peak" | "device" | "wrong" | "roofs" | "intensity" | "future" | "early" | "settings";
  values: (string | number)[];
}

/** As the lab: work may look this much faster than the peak, which is measured as well (labs/models/timing.py). */
const NOISE = 1.05;
const DAY = 24 * 3600_000;
const BYTES: Record<string, number> = { fp32: 4, tf32: 4, fp64: 8, bf16: 2 };

/** GFLOP/s that nothing of 2026 comes near: several times the fastest core with matrix units, and the fastest GPU. */
const MOST: Record<"cpu" | "cuda", Record<string, number>> = {
  cpu: { fp32: 4e3, fp64: 2e3, bf16: 16e3 }, // of a thread
  cuda: { fp32: 4e5, tf32: 6e6, bf16: 12e6 },
};
/** GB/s. */
const MOST_READ = { cpu: 1e4, cuda: 1e5 };

/** The first thing about a run that cannot be; undefined if it may be true. */
export function impossible(
  params: Params,
  { at: when }: Provenance,
  event: Event,
  now: number,
): Impossible | undefined {
  const no = (why: Impossible["why"], ...values: (string | number)[]): Impossible => ({ why, values });
  const { device, precision } = params;
  for (const name of ["device", "precision", "threads", "repetitions"] as const)
    if (event[name] !== params[name]) return no("settings", name, String(event[name]), String(params[name]));
  if (Date.parse(when) > now + DAY) return no("future", when);
  if (Date.parse(when) < Date.UTC(2025, 0)) return no("early", when);
  const [peaks, bandwidths] = [[...event.peaks.data], [...event.bandwidths.data]];
  const allowed = MOST[device][precision];
  if (!allowed) return no("settings", "precision", precision, Object.keys(MOST[device]).join(", "));
  const most = allowed * (device === "cpu" ? params.threads : 1);
  for (const peak of peaks)
    if (!Number.isNaN(peak) && !(peak > 0 && peak <= most)) return no("roofs", peak, most);
  for (const read of bandwidths)
    if (!Number.isNaN(read) && !(read > 0 && read <= MOST_READ[device] * params.threads))
      return no("roofs", read, MOST_READ[device] * params.threads);
  if (event.cores.some((cores) => cores < 1 || cores > params.threads))
    return no("settings", "cores", event.cores.join(", "), `1–${params.threads}`);

  for (const [column, n] of event.sizes.entries()) {
    const bound = event.bound.data[column]!;
    if (!(bound > 0 && bound < 1)) return no("wrong", "bound", n, bound, 1);
    const intensity = (2 * n) / (3 * BYTES[precision]!);
    if (!(Math.abs(event.intensity.data[column]! / intensity - 1) < 1e-4)) return no("intensity", n);
    for (const [row, kernel] of event.kernels.entries()) {
      const { low, median, high } = quartiles(event.speed, row, column);
      const error = at(event.error, row, column);
      if (![low, median, high, error].every(Number.isFinite)) return no("nan", kernel, n);
      if (!(low > 0 && low <= median && median <= high)) return no("order", kernel, n, low, median, high);
      if (median > most) return no("device", kernel, n, median, most);
      const roof = peaks[event.cores[row]! > 1 ? 1 : 0]!;
      if (median > NOISE * roof) return no("peak", kernel, n, median, roof);
      if (!(error >= 0 && error <= bound)) return no("wrong", kernel, n, error, bound);
    }
  }
  return undefined;
}
