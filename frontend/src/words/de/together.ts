/** Mehrere Geräte, die zugleich messen. */
import type { Later } from "../en/later.ts";
import { counter } from "../plural.ts";

const counted = counter("de");

export const together: Later["together"] = {
  devices: "Geräte",
  places: { cpu: "Prozessor dieses Servers", cuda: "GPU dieses Servers", browser: "Dieser Browser" },
  asking: "Fragt …",
  measure: (count) => `${counted(count, "Gerät", "Geräte")} messen`,
  stop: "Anhalten",
  chart: "GFLOP/s aller Geräte, wie sie eintreffen",
  sizes: (most, low, high) => `1 bis ${most} ganze Zahlen von ${low} bis ${high}, etwa 128, 256, 512.`,
  states: {
    waiting: (ahead) => (ahead ? `Wartet, ${ahead} davor` : "Wartet"),
    starting: () => "Python kommt",
    running: () => "Misst",
    done: () => "Fertig",
    failed: (reason) => reason,
    stopped: () => "Angehalten",
  },
};
