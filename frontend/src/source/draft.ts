/** A reader's own version of a lab, kept for as long as the tab: a reload loses nothing. */
import type { Parcel } from "./parcel";

export interface Draft extends Parcel {
  /** The link that it began with. A link that is opened anew comes before an older draft. */
  link: string;
}

const key = (figure: string) => `source:${location.pathname}:${figure}`;

export function readDraft(figure: string): Draft | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key(figure)) ?? "null") ?? undefined;
  } catch {
    return undefined; // storage may be switched off, and another program may have written to it
  }
}

export function writeDraft(figure: string, draft: Draft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(key(figure), JSON.stringify(draft));
    else sessionStorage.removeItem(key(figure));
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}
