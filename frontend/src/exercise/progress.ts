/** What the reader has solved on this page; kept in this browser alone, and only where it has storage. */
import { withoutLanguage } from "../words/languages";

export type Outcome = "solved" | "guessed" | "shown";

export interface Kept {
  /** Solved by the reader, a guess that was compared with its run, or shown on request; none while it is only begun. */
  outcome: Outcome | undefined;
  /** What the reader answered. */
  given: string;
  /** What runs measured for it, by what was run. */
  found?: Record<string, number>;
}

/** One for all languages of an article: its figures and exercises have the same names in each. */
const SLOT = `exercises:${withoutLanguage(location.pathname)}`;

class Progress extends EventTarget {
  private parts = load();

  get(key: string): Kept | undefined {
    return this.parts[key];
  }

  set(key: string, part: Kept): void {
    this.parts = { ...this.parts, [key]: part };
    this.save();
  }

  clear(): void {
    this.parts = {};
    this.save();
  }

  private save(): void {
    try {
      localStorage.setItem(SLOT, JSON.stringify(this.parts));
    } catch {
      // Storage may be switched off or full; progress then lasts as long as the page.
    }
    this.dispatchEvent(new Event("change"));
  }
}

function load(): Record<string, Kept> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(SLOT) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, Kept>) : {};
  } catch {
    return {}; // no storage, or something else wrote there
  }
}

export const progress = new Progress();
