// Generated from the Python lab by `make contract`; edits here are lost.

import type { Sentence } from "../../../words/sentence";

export interface Lab {
  params: Params;
  event: Resolve;
}
export interface Params {
  python: "3.9" | "3.10" | "3.11" | "3.12" | "3.13" | "3.14";
  system: "Linux, glibc" | "Linux, musl" | "macOS" | "Windows";
  /**
   * For a Linux with glibc; 2.17 is from 2012, 2.36 from 2022.
   */
  glibc: number;
  machine: "x86_64" | "arm64";
  /**
   * A build of Python without the global interpreter lock, from 3.13 on.
   */
  free_threaded: boolean;
  /**
   * What the package offers.
   */
  wheels: "all" | "one for each Python" | "stable ABI" | "Python alone";
}
/**
 * The tags that are accepted, and the wheels that were compared with them so far.
 */
export interface Resolve {
  /**
   * One sentence that says what this picture shows: spoken, captioned, printed.
   */
  text: Sentence;
  kind: "resolve";
  stage: "tags" | "wheel" | "chosen";
  /**
   * Triples that this Python accepts
   */
  count: number;
  /**
   * Tags of the platform that are accepted, the best first
   */
  platforms: string[];
  /**
   * The same, in order, with those that differ in their platform alone put together
   */
  bands: Band[];
  /**
   * In the order of the file names; at last the best first, and then those that do not fit
   */
  wheels: Wheel[];
  /**
   * The file that was compared just now; empty for none
   */
  now: string;
  /**
   * The file that is installed; empty if none fits, or not yet known
   */
  chosen: string;
}
/**
 * Accepted triples that differ in their platform alone.
 */
export interface Band {
  python: string;
  abi: string;
  first: number;
  count: number;
}
/**
 * A file, and what became of its tags.
 */
export interface Wheel {
  file: string;
  python: string;
  abi: string;
  platform: string;
  python_known: boolean;
  abi_known: boolean;
  platform_known: boolean;
  rank: number;
  state: "waiting" | "fits" | "refused";
}

export type Event = Lab["event"];
/** What a field may say, in the lab's order. */
export const CHOICES = {
  "Params.python": ["3.9", "3.10", "3.11", "3.12", "3.13", "3.14"],
  "Params.system": ["Linux, glibc", "Linux, musl", "macOS", "Windows"],
  "Params.machine": ["x86_64", "arm64"],
  "Params.wheels": ["all", "one for each Python", "stable ABI", "Python alone"],
  "Resolve.stage": ["tags", "wheel", "chosen"],
  "Wheel.state": ["waiting", "fits", "refused"],
} as const;
