/** Where labs run, and what goes wrong there. */
import { counter } from "../plural.ts";
import { sentence } from "../reason.ts";

const counted = counter("en");

export const runner = {
  never: {
    browser: "This lab needs programs that do not run in a browser.",
    cpu: "This lab is about a GPU.",
    cuda: "This lab makes no use of a GPU.",
  },
  onDevice: "This lab measures your own device, so it runs in your browser alone.",
  noWorker: {
    cpu: "No machine that runs labs is connected to this server.",
    cuda: "No machine with a GPU is connected to this server.",
  },
  noWasm: "This browser has no WebAssembly, which Python needs here.",
  noServer: "The server cannot be reached just now. Open this again when it is back.",
  filesAlone: "This copy of the book has no server, it is files alone.",
  python: {
    ready: "Python is ready in this page.",
    unknown: "Downloads Python the first time; the size is not known just now.",
    here: "Python is already here, from an earlier visit.",
    coming: (size: string) => `Python is being downloaded: ${size}, only once.`,
    downloads: (size: string, seconds: number | undefined) =>
      `Downloads ${size} the first time${seconds ? `, at most ${seconds} s on this connection` : ""}: Python and NumPy.`,
    failed: "Python could not start in this browser.",
  },
  machine: {
    browser: "this browser",
    cores: (count: number) => counted(count, "core", "cores"),
  },
  unreachable: "The server cannot be reached. Your settings are kept; try again when it is back.",
  busy: (seconds: string | null) =>
    `The server is busy${seconds ? `; try again in ${seconds} s` : ""}. Your settings are kept.`,
  answered: (status: number) => `The server answered ${status}.`,
  lost: "The connection to the server was lost and did not come back. Run it again.",
  gone: "The server no longer has this run. Run it again.",
  recording: (status: string) => `The recorded run could not be loaded${status}; check the connection`,
  array: {
    type: (dtype: string) => `this page cannot read arrays of ${dtype}`,
    shape: (length: number, shape: string) =>
      `an array of ${counted(length, "number", "numbers")} has the shape ${shape}`,
    lost: (status: number) => `the server no longer has part of this picture (${status})`,
  },
  sandbox: {
    name: "Sandbox",
    unloaded: (address: string, status: number) => `${address} could not be loaded (${status})`,
    away: "the network is away, and what it needs was not kept",
    slow: "it took longer than three minutes",
    stopped: "it was stopped",
    failed: (reason: string) => `Python could not start in its sandbox: ${sentence(reason)}`,
    gaveUp: (reason: string) => `Python gave up: ${sentence(reason)}`,
    long: "The edited code was stopped: it ran for a minute. Make it do less, or look for a loop without end.",
    event: "the code yielded an event that no figure can draw",
  },
};
