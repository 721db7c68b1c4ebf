/** Eine anderswo gemessene Maschine, als Datei mitgebracht. */
import type { Later } from "../en/later.ts";
import { counter } from "../plural.ts";

const counted = counter("de");

export const brought: Later["brought"] = {
  name: "Mitgebrachte Datei",
  choose: "Datei auswählen",
  drop: "oder hier ablegen",
  paste: "oder ihren Inhalt einfügen",
  show: "Zeigen",
  taken: (count) =>
    count > 0
      ? `${counted(count, "Lauf steht", "Läufe stehen")} jetzt in den Diagrammen und der Liste unten, nur in diesem Browser.`
      : "Diese Läufe stehen schon in der Liste.",
  looked: (count) =>
    `Der Link brachte ${counted(count, "Lauf", "Läufe")} mit. Dieser Browser hat sie nicht behalten.`,
  keep: "Hier behalten",
  kernels: (count) => counted(count, "Kernel", "Kernel"),
  remove: "Entfernen",
  removeThis: (machine) => `Den Lauf auf ${machine} entfernen`,
  removeAll: "Alle entfernen",
  link: "Link kopieren, der sie mitnimmt",
  copied: (letters) =>
    `Kopiert: ${counted(letters, "Zeichen", "Zeichen")}. Die Läufe stehen hinter dem #, das kein Browser an einen Server schickt.`,
  copy: "Der Link steht in diesem Feld:",
  address: "Link",
  no: (at, words) => `Nicht angenommen: ${words}${at ? ` (${at})` : ""}.`,
  refused: {
    large: (kibi) => `eine Datei darf höchstens ${kibi} KiB haben`,
    deep: (levels) => `Klammern dürfen höchstens ${levels} tief ineinander stehen`,
    empty: () => "es steht nichts darin",
    list: () =>
      "das ist die Liste, wie diese Seite sie sichert; gebraucht wird bench.json, wie das Skript es schreibt",
    json: () => "das ist kein JSON",
    link: () => "der Link ist beschädigt: Was hinter dem # steht, lässt sich nicht entpacken",
    invisible: () => "ein Text enthält unsichtbare Zeichen",
    missing: () => "ein Feld fehlt; bench_this_machine.py schreibt alle",
    unknown: (name) => `ein Feld „${name}“ gibt es nicht`,
    type: (wanted, found) => `hier muss der Typ ${wanted} stehen, nicht ${found}`,
    choice: (choices) => `hier muss eines davon stehen: ${choices}`,
    low: (value, least) => `${value} ist kleiner als ${least}`,
    high: (value, most) => `${value} ist größer als ${most}`,
    short: (length, least) => `${length} sind weniger als ${least}`,
    long: (length, most) => `${length} sind mehr als ${most}`,
    form: () => "das hat nicht die Form, die in der Datei steht",
    axis: (axis, length, named) => `entlang der Achse „${axis}“ sind es ${length}, benannt sind ${named}`,
    bytes: (found, wanted) => `es sind ${found} Bytes, die Form verlangt ${wanted}`,
    settings: (name, found, wanted) => `${name} ist ${found} und müsste ${wanted} sein`,
    nan: (kernel, n) => `${kernel} hat bei n = ${n} keine endliche Zahl, der Lauf kam also nicht zu Ende`,
    order: (kernel, n, low, median, high) =>
      `die Quartile von ${kernel} bei n = ${n} müssen positiv sein und steigen; es sind ${low}, ${median}, ${high}`,
    peak: (kernel, n, speed, peak) =>
      `${kernel} erreichte bei n = ${n} ${speed.toPrecision(4)} GFLOP/s, mehr als die Spitze, die derselbe Lauf maß: ${peak.toPrecision(4)}`,
    device: (kernel, n, speed, most) =>
      `${kernel} erreichte bei n = ${n} ${speed.toPrecision(4)} GFLOP/s, und kein solches Gerät schafft mehr als ${most}`,
    wrong: (kernel, n, error, bound) =>
      `das Produkt von ${kernel} bei n = ${n} liegt um ${error.toPrecision(2)} daneben, Rundung führt höchstens zu ${bound.toPrecision(2)}`,
    roofs: (found, most) =>
      `ein Dach von ${found} liegt nicht zwischen 0 und ${most}, mehr hat keine Maschine`,
    intensity: (n) => `die Operationen je Byte bei n = ${n} sind nicht die eines Produkts von Matrizen`,
    future: (when) => `gemessen wurde in der Zukunft, ${when}`,
    early: (when) => `gemessen wurde, bevor es diese Messung gab, ${when}`,
  },
};
