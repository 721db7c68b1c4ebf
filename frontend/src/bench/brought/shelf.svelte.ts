/** The runs that a reader brought: kept in this browser, or only looked at because a link brought them. */
import type { Entry } from "../entries";
import { fileOf } from "./link";
import { entryOfRun, Refused, runsIn, type Run } from "./read";

const KEY = "underhood.brought";
const MOST_KEPT = 48;

interface Brought {
  run: Run;
  entry: Entry;
  /** False while it is only looked at. */
  kept: boolean;
}

class Shelf {
  /** The newest first. */
  items = $state.raw<Brought[]>([]);
  readonly entries = $derived(this.items.map(({ entry }) => entry));

  /** What this browser kept, checked again: another version, or anybody's script, may have written it. */
  async open(): Promise<void> {
    try {
      const text = localStorage.getItem(KEY);
      const runs = text ? (JSON.parse(text) as unknown[]) : [];
      for (const run of runs.slice(0, MOST_KEPT).reverse()) {
        const read = await runsIn(JSON.stringify({ format: "underhood/bench/1", runs: [run] })).catch(
          () => [],
        );
        this.add(read, true, false);
      }
    } catch {
      // Storage is switched off, or holds what is no list.
    }
  }

  /** Reads a file and shows what is in it. Throws `Refused`. Returns how many of its runs are new. */
  async take(text: string, keep: boolean): Promise<number> {
    return this.add(await runsIn(text), keep);
  }

  private add(runs: Run[], kept: boolean, write = true): number {
    const items = runs.map((run) => ({ run, entry: entryOfRun(run), kept }));
    const known = new Map(this.items.map((item) => [item.entry.id, item]));
    const fresh = items.filter(({ entry }) => !known.has(entry.id));
    const again = new Set(kept ? items.map(({ entry }) => entry.id) : []);
    this.items = [
      ...fresh,
      ...this.items.map((item) => (again.has(item.entry.id) ? { ...item, kept: true } : item)),
    ].slice(0, MOST_KEPT);
    if (kept && write) this.write();
    return fresh.length;
  }

  keep(): void {
    this.items = this.items.map((item) => ({ ...item, kept: true }));
    this.write();
  }

  remove(id?: string): void {
    this.items = id ? this.items.filter(({ entry }) => entry.id !== id) : [];
    this.write();
  }

  private write(): void {
    const runs = this.items.filter(({ kept }) => kept).map(({ run }) => run);
    try {
      if (runs.length > 0) localStorage.setItem(KEY, JSON.stringify(runs));
      else localStorage.removeItem(KEY);
    } catch {
      // Storage is switched off or full: they are then here until the page is left.
    }
  }

  file = (): string => fileOf(this.items.map(({ run }) => run));
}

export const shelf = new Shelf();
export { Refused };
