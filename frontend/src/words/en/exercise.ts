/** What asks the reader, and what it answers. */
import { counter } from "../plural.ts";

const counted = counter("en");

export const exercise = {
  check: "Check",
  checkWhat: (label: string) => `Check ${label}`,
  show: "Show",
  showWhat: (label: string) => `Show ${label}`,
  showAnswer: "Show the answer",
  answer: "The answer",
  hint: "Hint",
  hintOf: (number: string, of: string) => `Hint ${number} of ${of}`,
  solved: "solved",
  guessed: "guess compared",
  shown: "answer shown",
  right: "Right.",
  /** Within a sentence, whatever follows. */
  blank: { solved: "right", shown: "shown" },
  wrong: "Not that one.",
  empty: "Choose one first.",
  more: "Right so far, but more of them are right.",
  marked: "The answer is marked.",
  progress: {
    name: "Your exercises",
    count: (solved: number, of: number, guessed: number, shown: number) =>
      [
        `${solved} of ${counted(of, "exercise", "exercises")} solved`,
        ...(guessed > 0 ? [`${counted(guessed, "guess", "guesses")} compared`] : []),
        ...(shown > 0 ? [`${shown} shown`] : []),
      ].join(", "),
    rule: "An exercise is solved once all its answers are right. A guess is neither right nor wrong: it is compared with the run.",
    all: "Show all answers",
    clear: "Start over",
    kept: "Your answers are kept in this browser only.",
  },
  number: {
    unread: "Type a number, such as 0.25, −3 or 1/6.",
    close: "Close: give one digit more.",
    sign: "The size is right; look at the sign.",
    large: "Too large.",
    small: "Too small.",
  },
  predict: {
    run: "Run and compare",
    again: "Run it again",
    skip: "Skip the guess",
    figure: "the figure",
    untyped: "Type a number first, or skip the guess.",
    unchosen: "Choose one first, or skip.",
    running: "The figure is running…",
    failed: (reason: string) => `${reason} Your guess is kept; try again.`,
    gives: (out: string) => `The run gives ${out}.`,
    met: (mine: string) => `You said ${mine}, and so does the run.`,
    off: (mine: string, out: string, apart: string, high: boolean, share: string) =>
      `You said ${mine}, the run gives ${out}: ${apart} too ${high ? "high" : "low"}${share && ` (${share})`}.`,
    yours: (value: string) => `your guess ${value}`,
    theirs: (value: string) => `the run ${value}`,
    both: "and",
    asSaid: (named: string) => `As you predicted: ${named}.`,
    otherwise: (named: string) => `Not as you predicted: ${named}.`,
    quoted: (name: string) => `“${name}”`,
    kept: "Your guess is kept; run the figure to compare.",
    before: (words: string) => `${words} That was your last run.`,
  },
  code: {
    write: "Write it here",
    open: "Open your code",
    loading: "Loading the editor…",
    unloaded: (reason: string) => `The editor could not be loaded (${reason}). Try again.`,
    solved: "Solved.",
  },
};
