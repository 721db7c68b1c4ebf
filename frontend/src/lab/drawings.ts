/** Figures are found by their path: the lab `<series>/<lab>` is drawn by `figures/<series>/<lab>.svelte`, or by
 *  `Figure.svelte` in the room `figures/<series>/<lab>/`, beside the parts that it alone uses. */
import type { Drawing } from "./drawing";

const figures = import.meta.glob<{ default: Drawing }>([
  "../figures/*/*.svelte",
  "../figures/*/*/Figure.svelte",
]);

export async function drawingOf(id: string): Promise<Drawing> {
  const load = figures[`../figures/${id}.svelte`] ?? figures[`../figures/${id}/Figure.svelte`];
  if (!load) throw new Error(`no figure draws ${id}: write frontend/src/figures/${id}.svelte`);
  return (await load()).default;
}
