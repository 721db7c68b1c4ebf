/** Läufe auf mehreren Maschinen nebeneinander. */
import type { Words } from "../en/index.ts";
import { counter } from "../plural.ts";

const counted = counter("de");

export const machines: Words["machines"] = {
  name: "Läufe auf allen Maschinen",
  caption: "Der neueste Lauf zuerst; zwei oder mehr lassen sich vergleichen",
  choose: (machine, when) => `Den Lauf auf ${machine} vom ${when} vergleichen`,
  compare: "Vergleich",
  machine: "Maschine",
  when: "Wann",
  settings: "Einstellungen",
  fastest: "Am schnellsten",
  share: "der Spitze",
  at: (kernel, n) => `${kernel}, n = ${n}`,
  origin: { server: "dieser Server", recorded: "aufgezeichnet", browser: "dieser Browser" },
  threads: (count) => counted(count, "Thread", "Threads"),
  only: "Maschine",
  all: "Alle Maschinen",
  runs: (name, count) => `${name} (${counted(count, "Lauf", "Läufe")})`,
  older: "Ältere Läufe zeigen",
  scripts: "Diese sind aufgezeichnet; was dieser Server gemessen hat, zeigt ein Skript.",
  asking: "Fragt den Server nach seinen Läufen …",
  away: "Der Server ist nicht zu erreichen, und dieser Browser kennt seine Läufe noch nicht. Gezeigt wird, was aufgezeichnet ist.",
  seen: (when) =>
    `Der Server ist nicht zu erreichen. So hat dieser Browser seine Läufe zuletzt gesehen, ${when}.`,
  files:
    "Zu dieser Kopie des Buchs gehört kein Server, der sich Läufe merkt. Gezeigt wird, was aufgezeichnet ist.",
  empty: "Dieser Server hat noch nichts gemessen: Was die Abbildung oben auf ihm misst, steht danach hier.",
  again: "Noch einmal fragen",
  few: "Ein Lauf mehr, und es lässt sich vergleichen.",
  against: "Verglichen mit dem ersten",
  caption2: "GFLOP/s, und so viel mal der erste; in Klammern, zwischen welchen Grenzen die Viertel es lassen",
  best: "was am schnellsten ist",
  kernel: "Kernel",
  nothing: "Keine Größe wurde in zweien dieser Läufe gemessen.",
  differ: "Was sonst verschieden ist",
  same: "Software, Lab-Code und Parameter sind gleich.",
  from: (what, first, other) => `${what}: ${first} → ${other}`,
  none: "keine",
  lab: "Lab",
  code: "Lab-Code",
  run: (number) => `Lauf ${number}`,
  take: "Mitnehmen",
  json: (count) => `JSON von ${counted(count, "Lauf", "Läufen")}`,
  csv: (count) => `CSV von ${counted(count, "Lauf", "Läufen")}`,
  clear: "Keinen wählen",
};
