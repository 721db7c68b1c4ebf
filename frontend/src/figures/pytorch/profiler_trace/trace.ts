/** The trace as Chrome's tracing and Perfetto read it: complete events ("X") in microseconds. */
import type { Spans } from "./chart";

export function perfetto(of: Spans): string {
  // Perfetto draws no span that ends after the one it begins in; torch's marks of steps do, where Python is recorded.
  const apart = of.sorts.includes("Python");
  const events = Array.from(of.start.data, (start, n) => ({
    ph: "X",
    name: of.names[of.name.data[n]!],
    cat: of.sorts[of.name.data[n]!],
    ts: start / 1e3,
    dur: of.took.data[n]! / 1e3,
    pid: 1,
    tid:
      of.thread.data[n]! + 1 + (apart && of.names[of.name.data[n]!]!.startsWith("ProfilerStep") ? 1000 : 0),
    ...(of.shape.data[n]! > 0 && { args: { "Input types and shapes": of.shapes[of.shape.data[n]!] } }),
  }));
  return JSON.stringify({ displayTimeUnit: "ms", traceEvents: events });
}

export function download(name: string, content: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // a browser may still be reading it
}
