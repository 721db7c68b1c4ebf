/** A measured machine that a reader brings as a file. */
import { counter } from "../plural.ts";

const counted = counter("en");

export const brought = {
  name: "Your file",
  choose: "Choose a file",
  drop: "or drop it here",
  paste: "or paste its contents",
  show: "Show it",
  taken: (count: number) =>
    count > 0
      ? `${counted(count, "run is", "runs are")} now in the charts and the list below, in this browser only.`
      : "These runs are in the list already.",
  looked: (count: number) =>
    `The link brought ${counted(count, "run", "runs")}. This browser has not kept them.`,
  keep: "Keep them here",
  kernels: (count: number) => counted(count, "kernel", "kernels"),
  remove: "Remove",
  removeThis: (machine: string) => `Remove the run on ${machine}`,
  removeAll: "Remove all",
  link: "Copy a link that carries them",
  copied: (letters: number) =>
    `Copied: ${counted(letters, "character", "characters")}. The runs follow the #, which browsers do not send to a server.`,
  copy: "Copy the link from this field:",
  address: "Link",
  no: (at: string, words: string) => `Not taken: ${words}${at ? ` (${at})` : ""}.`,
  /** What is wrong with a file. */
  refused: {
    large: (kibi: number) => `a file may have ${kibi} KiB at most`,
    deep: (levels: number) => `brackets may be nested ${levels} deep at most`,
    empty: () => "there is nothing in it",
    json: () => "it is not JSON",
    list: () => "this is an export of the list; bring the bench.json that the script writes",
    link: () => "the link is damaged: what follows its # cannot be unpacked",
    invisible: () => "a text holds characters that cannot be seen",
    missing: () => "a field is missing; bench_this_machine.py writes all of them",
    unknown: (name: string) => `there is no field “${name}”`,
    type: (wanted: string, found: string) => `this must be of type ${wanted} and is ${found}`,
    choice: (choices: string) => `this must be one of ${choices}`,
    low: (value: number, least: number) => `${value} is less than ${least}`,
    high: (value: number, most: number) => `${value} is more than ${most}`,
    short: (length: number, least: number) => `${length} are fewer than ${least}`,
    long: (length: number, most: number) => `${length} are more than ${most}`,
    form: () => "this is not in the form that the file has",
    axis: (axis: string, length: number, named: number) =>
      `it has ${length} along the axis “${axis}” where ${named} are named`,
    bytes: (found: number, wanted: number) => `it holds ${found} bytes where its shape takes ${wanted}`,
    settings: (name: string, found: string, wanted: string) =>
      `${name} is ${found} where it has to be ${wanted}`,
    nan: (kernel: string, n: number) => `${kernel} at n = ${n} has no finite number, so the run did not end`,
    order: (kernel: string, n: number, low: number, median: number, high: number) =>
      `the quartiles of ${kernel} at n = ${n} must be positive and rise; they are ${low}, ${median}, ${high}`,
    peak: (kernel: string, n: number, speed: number, peak: number) =>
      `${kernel} at n = ${n} reached ${speed.toPrecision(4)} GFLOP/s, above the peak that the same run measured, ${peak.toPrecision(4)}`,
    device: (kernel: string, n: number, speed: number, most: number) =>
      `${kernel} at n = ${n} reached ${speed.toPrecision(4)} GFLOP/s, and no such device does more than ${most}`,
    wrong: (kernel: string, n: number, error: number, bound: number) =>
      `the product of ${kernel} at n = ${n} is off by ${error.toPrecision(2)}, and rounding explains at most ${bound.toPrecision(2)}`,
    roofs: (found: number, most: number) =>
      `a roof of ${found} is not between 0 and ${most}, which no machine exceeds`,
    intensity: (n: number) =>
      `its operations for each byte at n = ${n} are not those of a product of matrices`,
    future: (when: string) => `it was measured in the future, ${when}`,
    early: (when: string) => `it was measured before this bench existed, ${when}`,
  },
};
