/** Where a lab's figure is: a file, or `Figure.svelte` in its room. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const SRC = join(process.cwd(), "src");

/** Its path below `src`. */
export function figureFile(lab: string): string {
  const room = `figures/${lab}/Figure.svelte`;
  return existsSync(join(SRC, room)) ? room : `figures/${lab}.svelte`;
}
