/** What a reader has read, kept in this browser and nowhere else. */
import { texts } from "../words";

const KEY = "underhood.progress";

export interface Place {
  article: string;
  /** Its page, in the language in which it was read. */
  page?: string;
  title: string;
  /** The section that was on screen, and its words; neither before the first heading. */
  hash?: string;
  words?: string;
}
export interface Progress {
  /** Articles whose end was seen, with the date. */
  read: Record<string, string>;
  last?: Place;
}

const none = (): Progress => ({ read: {} });

export function progress(): Progress {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Progress> | null;
    return typeof kept?.read === "object" ? { ...none(), ...kept } : none();
  } catch {
    return none(); // storage is switched off, or holds what another version wrote
  }
}

function keep(change: Progress): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(change));
  } catch {
    // Storage is switched off: the marks last as long as the page.
  }
}

export function markRead(article: string): void {
  const now = progress();
  now.read[article] ??= new Date().toISOString().slice(0, 10);
  keep(now);
}

export function keepPlace(last: Place): void {
  keep({ ...progress(), last });
}

export function forget(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is switched off, so there is nothing to forget.
  }
}

/** Ticks the articles that were read, wherever this page lists them. */
export function showMarks(read: Progress["read"] = progress().read): void {
  for (const item of document.querySelectorAll<HTMLElement>("[data-article]")) {
    const done = item.dataset.article! in read;
    if (done === "read" in item.dataset) continue;
    if (done) {
      item.dataset.read = "";
      const mark = document.createElement("span");
      mark.className = "unseen";
      mark.dataset.mark = "";
      mark.textContent = ` (${texts().site.read})`;
      item.querySelector("a")!.append(mark);
    } else {
      delete item.dataset.read;
      item.querySelector("[data-mark]")!.remove();
    }
  }
}
