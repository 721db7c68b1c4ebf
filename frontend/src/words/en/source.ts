/** The panel in which a lab's code is read and changed. */
import { counter } from "../plural.ts";
import { sentence } from "../reason.ts";

const counted = counter("en");
const differ = (count: number) => counted(count, "line differs", "lines differ");

export const source = {
  readOnly: "read only",
  unchanged: "unchanged",
  changed: (count: number, since: boolean) =>
    `${differ(count)} from the lab’s own${since ? ", edited since it ran" : ""}`,
  editor: (lab: string) => `Python source of ${lab}. Escape, then Tab leaves the editor.`,
  version: "version",
  serverOnly:
    "This lab uses what a browser does not have, so it runs on the server, and the server runs no code that a reader wrote.",
  deviceOnly:
    "This lab measures your own device, and code that a reader wrote runs in a sandbox that is lent none of it.",
  fromLink: (count: number) =>
    `This link carries changed code: ${differ(count)} from the lab’s own, marked at the left. It has not been run. Read it before you run it. It can reach nothing except this figure.`,
  fromDraft: (count: number) => `This is your changed code from before: ${differ(count)} from the lab’s own.`,
  oldVersion: (version: string) =>
    `It was changed from version ${version}, and the lab has changed since: it may no longer fit this figure, and some of the marked lines may be changes of the lab itself.`,
  line: (line: number) => `Line ${line}`,
  stop: "Stop",
  run: "Run this code",
  reset: "Reset to the original",
  copied: "Link copied",
  copy: "Copy link to this code",
  copyThis: "Copy this link",
  starting: "Starting Python in a sandbox…",
  running: "Running…",
  keys: { run: "runs.", indent: "indents;", then: "then", leave: "leaves the editor." },
  sealed:
    "Your code runs in your browser only, sealed off from this site and the network, for at most a minute.",
  printed: "Printed",
  others: "The other files that it runs",
  file: "File",
  parts: "Parts of this lab",
  shared: "Shared with other labs",
  cut: "… what was printed after this is left out",
  retry: (reason: string) => `${sentence(reason)} Check the connection and open this part again.`,
  unloaded: (status: number) => `the source could not be loaded (${status})`,
  long: (length: string, most: string) =>
    `The changed code makes a link of ${length} characters, and many programs cut links beyond ${most}. Copy the code itself instead.`,
  damaged:
    "This link was cut short or damaged, and its code cannot be read. Ask for it again; the lab’s own source is shown.",
};
