/** Diagramme gemessener Maschinen. */
import type { Later } from "../en/later.ts";
import { counter } from "../plural.ts";

const counted = counter("de");

export const charts: Later["charts"] = {
  charts: "Diagramme",
  chart: "Diagramm",
  size: "Über der Größe",
  roofs: "Unter den Dächern",
  time: "Über der Zeit",
  aboutFew: (drawn, all) =>
    `Von jeder Maschine und Genauigkeit der neueste Lauf mit mehreren Größen.${drawn < all ? ` Gezeichnet sind ${drawn} von ${all}.` : ""}`,
  aboutList: "In der Liste unten gewählte Läufe stehen hier allein.",
  aboutChosen: "Die Läufe, die in der Liste unten gewählt sind.",
  aboutRoofs:
    "Linien: was eine Maschine aus dem Speicher liest (durchgezogen) und aus einem Cache (gepunktet), bis zur Spitze.",
  aboutTime: "Das schnellste Produkt jedes Laufs, zur Zeit des Laufs.",
  halfway:
    "Ein großes Produkt beschäftigt mehr von einer Maschine als ein kleines. Die kleinste seiner Größen, in Zeilen und Spalten, bei der jeder Lauf die Hälfte seiner höchsten Geschwindigkeit erreicht:",
  ridges:
    "Links von dem Punkt, an dem sich ihre Dächer treffen, begrenzt der Speicher eine Maschine, rechts davon ihr Rechenwerk. Operationen je Byte an diesem Punkt:",
  every: "Jeder Kernel",
  view: "Ausschnitt",
  in: "Vergrößern",
  out: "Verkleinern",
  whole: "Alles",
  drag: "Was Ziehen tut",
  zoom: "Ziehen vergrößert",
  pan: "Ziehen verschiebt",
  log: "Logarithmisch",
  coming: "Das Diagramm wird geladen …",
  failed: "Das Diagramm ließ sich nicht laden. Die Zahlen stehen in der Tabelle darunter.",
  keys: "Tasten: links und rechts von Punkt zu Punkt, auf und ab von Reihe zu Reihe; Enter zeigt eine Reihe allein; + und − vergrößern und verkleinern, Umschalt mit Pfeil verschiebt, 0 zeigt alles.",
  legend: "Reihen: eine gewählte steht allein",
  table: "Die Zahlen als Tabelle",
  series: "Reihe",
  source: "Woher",
  quartiles: ["unteres Quartil, GFLOP/s", "Median, GFLOP/s", "oberes Quartil, GFLOP/s"],
  report: (count) => `Gemessen: ${counted(count, "Lauf", "Läufe")}`,
  made: (when) => `Geschrieben von Underhood, ${when}.`,
  words: {
    rows: "Zeilen und Spalten",
    gflops: "GFLOP/s",
    intensity: "Operationen je Byte",
    when: "Zeit (UTC)",
    memory: (speed) => `Speicher: ${speed} GB/s`,
    cache: (speed) => `Cache: ${speed} GB/s`,
    peak: (speed) => `Spitze: ${speed}`,
    share: (percent) => `${percent} % der Spitze`,
    between: (low, high) => `Mittlere Hälfte: ${low} bis ${high}`,
    versions: (versions) => versions,
  },
};
