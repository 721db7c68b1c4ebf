/** Tries a reader's code on the hidden cases of a task. It runs where all code of readers runs, in the sandbox. */
import { Sandbox } from "../runner/sandbox";
import type { LabEvent } from "../runner/types";
import check from "./check.py?raw";
import { later } from "../words";

/** What check.py says of one case. */
export interface Case extends LabEvent {
  kind: "case";
  number: number;
  count: number;
  passed: boolean;
  call: string;
  expected: string;
  got: string;
  printed: string;
  line: number | null;
}

/** What it says of code that cannot be tried. */
export interface Broken extends LabEvent {
  kind: "broken";
  line: number | null;
}

/** A case that takes longer holds a loop without end: the references take milliseconds. */
const CASE_MS = 10_000;

export class Bench {
  private readonly sandbox = new Sandbox();
  private readonly task: string;
  private source: Promise<string> | undefined;

  constructor(task: string) {
    this.task = task;
  }

  warm(): void {
    this.sandbox.warm();
  }

  /** End the current check at once; what is still to come of it does not come. */
  stop(): void {
    this.sandbox.stop();
  }

  /** One finding a case, as they come. Throws, in words for the reader, where the cases cannot be tried. */
  async *check(answer: string, onready: () => void): AsyncGenerator<Case | Broken> {
    const task = await (this.source ??= this.fetch());
    let late = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => ((late = true), this.stop()), CASE_MS);
    };
    const nothing = () => undefined;
    const watch = { began: nothing, printed: nothing, fault: nothing, ended: nothing };
    const runner = this.sandbox.runner(check, "check", { ...watch, ready: () => (wait(), onready()) });
    const params = { name: this.task.split("/")[1]!, task, answer };
    try {
      for await (const event of runner.run("exercise/check", params, new AbortController().signal)) {
        if (event.kind === "case" || event.kind === "broken") {
          wait();
          yield event as Case | Broken;
        } else if (event.kind === "end" && "reason" in event && event.status === "failed") {
          throw new Error(event.reason);
        }
      }
    } finally {
      clearTimeout(timer);
    }
    if (late) throw new Error(later().bench.late(CASE_MS / 1000));
  }

  private async fetch(): Promise<string> {
    try {
      const answer = await fetch(`/tasks/${this.task}.py`);
      if (!answer.ok) throw new Error(later().bench.answered(answer.status));
      return await answer.text();
    } catch (error) {
      this.source = undefined;
      throw new Error(later().bench.noCases((error as Error).message));
    }
  }
}
