/** Where a reader writes a function and has it checked. */
import { counter } from "../plural.ts";

const counted = counter("en");

export const bench = {
  starting: "Starting Python…",
  checking: (cases: number) => `Checking… ${counted(cases, "case", "cases")} so far.`,
  untried: "The code could not be tried.",
  stoppedAt: (number: number) => `Stopped at case ${number}.`,
  stopped: "Stopped.",
  pass: (cases: number) => `Solved: all ${counted(cases, "case passes", "cases pass")}.`,
  fail: (failed: number, cases: number) => `${failed} of ${counted(cases, "case fails", "cases fail")}.`,
  editor: (name: string) => `Your code for ${name}. Escape, then Tab leaves the editor.`,
  stop: "Stop",
  over: "Start over",
  line: (line: number) => `Line ${line}`,
  cases: "Cases",
  passes: (number: number) => `Case ${number} passes.`,
  input: "Input",
  expected: "Expected",
  got: "Got",
  printed: "Printed",
  late: (seconds: number) =>
    `This case took more than ${seconds} seconds and was stopped: is there a loop without end?`,
  answered: (status: number) => `the server answered ${status}`,
  noCases: (reason: string) => `The cases could not be loaded (${reason}). Your code is kept; try again.`,
};
