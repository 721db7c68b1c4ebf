/** Several devices that measure at once. */
import { counter } from "../plural.ts";

const counted = counter("en");

export const together = {
  devices: "Devices",
  places: { cpu: "This server’s processor", cuda: "This server’s GPU", browser: "Your browser" },
  asking: "Asking…",
  measure: (count: number) => `Measure ${counted(count, "device", "devices")}`,
  stop: "Stop",
  chart: "GFLOP/s of all devices, as they arrive",
  sizes: (most: number, low: number, high: number) =>
    `Type 1 to ${most} whole numbers from ${low} to ${high}, such as 128, 256, 512.`,
  states: {
    waiting: (ahead: string) => (ahead ? `Waiting, ${ahead} ahead` : "Waiting"),
    starting: () => "Python is on its way",
    running: () => "Measuring",
    done: () => "Done",
    failed: (reason: string) => reason,
    stopped: () => "Stopped",
  },
};
