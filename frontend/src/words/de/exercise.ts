/** Was fragt, und was es antwortet. */
import type { Words } from "../en/index.ts";
import { counter } from "../plural.ts";

const counted = counter("de");

export const exercise: Words["exercise"] = {
  check: "Prüfen",
  checkWhat: (label) => `Prüfen: ${label}`,
  show: "Zeigen",
  showWhat: (label) => `Zeigen: ${label}`,
  showAnswer: "Lösung zeigen",
  answer: "Die Lösung",
  hint: "Hinweis",
  hintOf: (number, of) => `Hinweis ${number} von ${of}`,
  solved: "gelöst",
  guessed: "Schätzung verglichen",
  shown: "Lösung gezeigt",
  right: "Richtig.",
  blank: { solved: "richtig", shown: "gezeigt" },
  wrong: "Das ist es nicht.",
  empty: "Erst etwas auswählen.",
  more: "Bis hierher richtig; es trifft noch mehr zu.",
  marked: "Die Lösung ist markiert.",
  progress: {
    name: "Stand der Übungen",
    count: (solved, of, guessed, shown) =>
      [
        `${solved} von ${counted(of, "Übung", "Übungen")} gelöst`,
        ...(guessed > 0 ? [`${counted(guessed, "Schätzung", "Schätzungen")} verglichen`] : []),
        ...(shown > 0 ? [`${shown} gezeigt`] : []),
      ].join(", "),
    rule: "Eine Übung ist gelöst, wenn alle Antworten richtig sind. Eine Schätzung ist weder richtig noch falsch: Sie wird mit dem Lauf verglichen.",
    all: "Alle Lösungen zeigen",
    clear: "Von vorn beginnen",
    kept: "Die Antworten bleiben in diesem Browser.",
  },
  number: {
    unread: "Gefragt ist eine Zahl, etwa 0,25, −3 oder 1/6.",
    close: "Fast: Es fehlt eine Ziffer.",
    sign: "Die Größe stimmt; das Vorzeichen nicht.",
    large: "Zu groß.",
    small: "Zu klein.",
  },
  predict: {
    run: "Rechnen und vergleichen",
    again: "Noch einmal rechnen",
    skip: "Ohne Schätzung",
    figure: "zur Abbildung",
    untyped: "Erst eine Zahl eintippen, oder ohne Schätzung weiter.",
    unchosen: "Erst etwas auswählen, oder ohne Schätzung weiter.",
    running: "Die Abbildung rechnet …",
    failed: (reason) => `${reason} Die Schätzung ist noch da; bitte noch einmal versuchen.`,
    gives: (out) => `Der Lauf ergibt ${out}.`,
    met: (mine) => `Geschätzt ${mine}, und das sagt auch der Lauf.`,
    off: (mine, out, apart, high, share) =>
      `Geschätzt ${mine}, der Lauf ergibt ${out}: ${apart} zu ${high ? "hoch" : "niedrig"}${share && ` (${share})`}.`,
    yours: (value) => `geschätzt ${value}`,
    theirs: (value) => `der Lauf ${value}`,
    both: "und",
    asSaid: (named) => `Wie vorhergesagt: ${named}.`,
    otherwise: (named) => `Anders als vorhergesagt: ${named}.`,
    quoted: (name) => `„${name}“`,
    kept: "Die Schätzung ist noch da; ein Lauf vergleicht sie.",
    before: (words) => `${words} So war es im letzten Lauf.`,
  },
  code: {
    write: "Hier schreiben",
    open: "Den eigenen Code öffnen",
    loading: "Der Editor lädt …",
    unloaded: (reason) => `Der Editor konnte nicht geladen werden (${reason}). Bitte noch einmal versuchen.`,
    solved: "Gelöst.",
  },
};
