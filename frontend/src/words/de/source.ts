/** Das Fach, in dem der Code eines Labs zu lesen und zu ändern ist. */
import type { Later } from "../en/later.ts";
import { counter } from "../plural.ts";
import { sentence } from "../reason.ts";

const counted = counter("de");
const differ = (count: number) => counted(count, "Zeile weicht", "Zeilen weichen");

export const source: Later["source"] = {
  readOnly: "nur zum Lesen",
  unchanged: "unverändert",
  changed: (count, since) =>
    `${differ(count)} vom Original ab${since ? ", seit dem letzten Lauf bearbeitet" : ""}`,
  editor: (lab) => `Python-Quelltext von ${lab}. Escape, dann Tab verlässt den Editor.`,
  version: "Version",
  serverOnly:
    "Dieses Lab braucht, was ein Browser nicht hat. Es läuft deshalb auf dem Server, und der Server führt keinen fremden Code aus.",
  deviceOnly:
    "Dieses Lab misst das eigene Gerät, und fremder Code läuft in einem Sandkasten, dem davon nichts geliehen wird.",
  fromLink: (count) =>
    `Dieser Link bringt geänderten Code mit: ${differ(count)} vom Original ab, links markiert. Er ist noch nicht gelaufen. Erst lesen; läuft er, so erreicht er nichts als diese Abbildung.`,
  fromDraft: (count) => `Das ist der geänderte Code von vorhin: ${differ(count)} vom Original ab.`,
  oldVersion: (version) =>
    `Geändert wurde Version ${version}, und seitdem hat sich das Lab selbst geändert: Vielleicht passt der Code nicht mehr zu dieser Abbildung, und manche markierte Zeile ist eine Neuerung des Labs.`,
  line: (line) => `Zeile ${line}`,
  stop: "Anhalten",
  run: "Diesen Code ausführen",
  reset: "Zurück zum Original",
  copied: "Link kopiert",
  copy: "Link zu diesem Code kopieren",
  copyThis: "Dieser Link zum Kopieren",
  starting: "Python startet in einem Sandkasten …",
  running: "Läuft …",
  keys: { run: "führt aus.", indent: "rückt ein;", then: "dann", leave: "verlässt den Editor." },
  sealed:
    "Der Code läuft nur in diesem Browser, abgeschottet von dieser Website und vom Netz, und höchstens eine Minute lang.",
  others: "Die anderen Dateien, die dabei laufen",
  file: "Datei",
  parts: "Teile dieses Labs",
  shared: "Mit anderen Labs geteilt",
  printed: "Ausgegeben",
  cut: "… was danach ausgegeben wurde, ist weggelassen",
  retry: (reason) => `${sentence(reason)} Bitte die Verbindung prüfen und diesen Teil noch einmal öffnen.`,
  unloaded: (status) => `Der Quelltext konnte nicht geladen werden (${status})`,
  long: (length, most) =>
    `Der geänderte Code ergibt einen Link von ${length} Zeichen, und viele Programme kürzen Links von mehr als ${most}. Besser den Code selbst kopieren.`,
  damaged:
    "Dieser Link ist abgeschnitten oder beschädigt, sein Code ist nicht lesbar. Bitte neu anfordern; gezeigt wird der Quelltext des Labs.",
};
