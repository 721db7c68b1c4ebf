/** Figures are found by their path: `figures/<series>/<lab>.svelte` draws the lab `<series>/<lab>`. */
import type { Drawing } from "./drawing";

const figures = import.meta.glob<{ default: Drawing }>("../figures/**/*.svelte");

export async function drawingOf(id: string): Promise<Drawing> {
  const load = figures[`../figures/${id}.svelte`];
  if (!load) throw new Error(`no figure draws ${id}: write frontend/src/figures/${id}.svelte`);
  return (await load()).default;
}
