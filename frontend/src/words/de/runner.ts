/** Wo Labs laufen, und was dort schiefgeht. */
import type { Words } from "../en/index.ts";
import { counter } from "../plural.ts";
import { sentence } from "../reason.ts";

const counted = counter("de");

export const runner: Words["runner"] = {
  never: {
    browser: "Dieses Lab braucht Programme, die in keinem Browser laufen.",
    cpu: "In diesem Lab geht es um eine GPU.",
    cuda: "Dieses Lab nutzt keine GPU.",
  },
  onDevice: "Dieses Lab misst das eigene Gerät, es läuft deshalb nur im Browser.",
  noWorker: {
    cpu: "Mit diesem Server ist keine Maschine verbunden, die Labs ausführt.",
    cuda: "Mit diesem Server ist keine Maschine mit GPU verbunden.",
  },
  noWasm: "Dieser Browser hat kein WebAssembly, das Python hier braucht.",
  noServer: "Der Server ist gerade nicht erreichbar. Bitte noch einmal öffnen, wenn er wieder da ist.",
  filesAlone: "Diese Ausgabe des Buchs hat keinen Server, sie besteht nur aus Dateien.",
  python: {
    ready: "Python ist auf dieser Seite bereit.",
    unknown: "Lädt beim ersten Mal Python; wie viel, war gerade nicht zu erfahren.",
    here: "Python ist von einem früheren Besuch schon da.",
    coming: (size) => `Python ist unterwegs: ${size}, einmalig.`,
    downloads: (size, seconds) =>
      `Lädt beim ersten Mal ${size}${seconds ? `, hier in höchstens ${seconds} s` : ""}: Python und NumPy.`,
    failed: "Python konnte in diesem Browser nicht starten.",
  },
  machine: {
    browser: "dieser Browser",
    cores: (count) => counted(count, "Kern", "Kerne"),
  },
  unreachable:
    "Der Server ist nicht erreichbar. Die Einstellungen bleiben; bitte neu rechnen, wenn er wieder da ist.",
  busy: (seconds) =>
    `Der Server ist ausgelastet${seconds ? `; in ${seconds} s noch einmal versuchen` : ""}. Die Einstellungen bleiben.`,
  answered: (status) => `Der Server antwortete ${status}.`,
  lost: "Die Verbindung zum Server brach ab und kam nicht zurück. Bitte neu rechnen.",
  gone: "Der Server hat diesen Lauf nicht mehr. Bitte neu rechnen.",
  recording: (status) =>
    `Der aufgezeichnete Lauf konnte nicht geladen werden${status}; bitte die Verbindung prüfen`,
  array: {
    type: (dtype) => `diese Seite kann Arrays von ${dtype} nicht lesen`,
    shape: (length, shape) => `ein Array mit ${counted(length, "Zahl", "Zahlen")} hat die Form ${shape}`,
    lost: (status) => `der Server hat einen Teil dieses Bilds nicht mehr (${status})`,
  },
  sandbox: {
    name: "Sandkasten",
    unloaded: (address, status) => `${address} konnte nicht geladen werden (${status})`,
    away: "das Netz ist weg, und was es braucht, ist hier nicht aufbewahrt",
    slow: "es dauerte länger als drei Minuten",
    stopped: "es wurde angehalten",
    failed: (reason) => `Python konnte in seinem Sandkasten nicht starten: ${sentence(reason)}`,
    gaveUp: (reason) => `Python gab auf: ${sentence(reason)}`,
    long: "Der geänderte Code wurde angehalten: Er lief eine Minute. Vielleicht tut er zu viel, oder eine Schleife hat kein Ende.",
    event: "der Code lieferte ein Ereignis, das keine Abbildung zeichnen kann",
  },
};
