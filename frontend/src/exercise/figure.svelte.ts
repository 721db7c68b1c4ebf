/** Sets a figure of this page and waits for what its run says. */
import { fetchFields } from "../lab/fields";
import { figureOf } from "../lab/figures";
import { pick } from "../lab/value";
import type { Run } from "../lab/run.svelte";
import type { LabEvent, Params } from "../runner/types";

export interface Reading {
  figure: string;
  lab: string;
  /** Kind and field of an event, as in `<Value at>`. */
  at: string;
}

/** The number at `at` of a fresh run with these parameters, which the figure then shows. */
export async function measure({ figure, lab, at }: Reading, params: Params): Promise<number> {
  const { axes } = await fetchFields(lab);
  return pick(await events(await figureOf(figure), params), at, lab, axes);
}

function events(run: Run, params: Params): Promise<readonly LabEvent[]> {
  const before = run.serial;
  run.set(params);
  return new Promise((done, fail) => {
    const stop = $effect.root(() => {
      $effect(() => {
        if (run.status !== "idle" || (run.serial === before && !run.error)) return;
        if (run.error) fail(new Error(run.error));
        else done(run.events);
        queueMicrotask(stop);
      });
    });
  });
}
