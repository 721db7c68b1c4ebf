/** The figures of this page by their names, for text that sets them. */
import { ask } from "./channel";
import type { Run } from "./run.svelte";

const runs = new Map<string, PromiseWithResolvers<Run>>();

function entry(key: string): PromiseWithResolvers<Run> {
  const found = runs.get(key) ?? Promise.withResolvers<Run>();
  runs.set(key, found);
  return found;
}

/** A figure says that it is there. */
export const present = (key: string, run: Run): void => entry(key).resolve(run);

/** The run of a figure, woken if it still slept. */
export function figureOf(key: string): Promise<Run> {
  ask(key, {});
  return entry(key).promise;
}
