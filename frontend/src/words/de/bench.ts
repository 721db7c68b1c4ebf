/** Wo eine Funktion geschrieben und geprüft wird. */
import type { Later } from "../en/later.ts";
import { counter } from "../plural.ts";

const counted = counter("de");

export const bench: Later["bench"] = {
  starting: "Python startet …",
  checking: (cases) => `Prüft … bisher ${counted(cases, "Fall", "Fälle")}.`,
  untried: "Der Code ließ sich nicht ausprobieren.",
  stoppedAt: (number) => `Angehalten bei Fall ${number}.`,
  stopped: "Angehalten.",
  pass: (cases) => `Gelöst: ${cases === 1 ? "Der eine Fall" : `Alle ${cases} Fälle`} in Ordnung.`,
  fail: (failed, cases) => `${failed} von ${counted(cases, "Fall", "Fällen")} nicht in Ordnung.`,
  editor: (name) => `Code für ${name}. Escape, dann Tab verlässt den Editor.`,
  stop: "Anhalten",
  over: "Von vorn",
  line: (line) => `Zeile ${line}`,
  cases: "Fälle",
  passes: (number) => `Fall ${number} in Ordnung.`,
  input: "Eingabe",
  expected: "Erwartet",
  got: "Erhalten",
  printed: "Ausgegeben",
  late: (seconds) =>
    `Dieser Fall brauchte mehr als ${seconds} Sekunden und wurde angehalten: Gibt es eine Schleife ohne Ende?`,
  answered: (status) => `der Server antwortete ${status}`,
  noCases: (reason) =>
    `Die Fälle konnten nicht geladen werden (${reason}). Der Code ist noch da; bitte noch einmal versuchen.`,
};
