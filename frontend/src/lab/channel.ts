/** How words on a page and a figure speak with each other: words ask for a state, the figure tells its own. Both are
 *  events on the element that holds the figure; lab/mount.ts wakes one that sleeps. */
import { calm } from "../kit/motion/calm";
import type { Params } from "../runner/types";

/** What words ask of a figure. Parameters that are not named stay as they are. */
export interface Wish {
  params?: Params;
  /** But those that another link had set go back: the picture is the one of this sentence, whatever was read before. */
  link?: boolean;
  /** Counted from 1, as the reader sees it. */
  step?: number;
}

export interface State {
  params: Params;
  step: number;
  count: number;
}

declare global {
  interface HTMLElementEventMap {
    "figure-ask": CustomEvent<Wish>;
    "figure-tell": CustomEvent<State>;
  }
}

const told = new WeakMap<HTMLElement, State>();
const hostOf = (key: string) => document.getElementById(key)!; // the build has made sure that it is there

/** Ask the figure `key`. False while the page is not yet ready to hear. */
export function ask(key: string, wish: Wish): boolean {
  const host = hostOf(key);
  host.dispatchEvent(new CustomEvent("figure-ask", { detail: wish }));
  return "awake" in host.dataset;
}

/** Hear the state of the figure `key`: the present one, if it is known, and each that follows. */
export function hear(key: string, listen: (state: State) => void): void {
  const host = hostOf(key);
  if (told.has(host)) listen(told.get(host)!);
  host.addEventListener("figure-tell", ({ detail }) => listen(detail));
}

/** The figure's side: take wishes, until the returned function is called. */
export function answer(host: HTMLElement, grant: (wish: Wish) => void): () => void {
  const taken = ({ detail }: CustomEvent<Wish>) => grant(detail);
  host.addEventListener("figure-ask", taken);
  return () => host.removeEventListener("figure-ask", taken);
}

/** The figure's side: say what it shows. */
export function tell(host: HTMLElement, state: State): void {
  told.set(host, state);
  host.dispatchEvent(new CustomEvent("figure-tell", { detail: state }));
}

/** Bring the picture of the figure `key` onto the screen. It is an entry of its own
 *  in the history, so that "Back" does not leave the article. */
export function reveal(key: string): void {
  const host = hostOf(key);
  const { top, bottom } = host.querySelector(".picture")!.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  history.pushState(history.state, "", `#${key}`);
  host.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
  host.tabIndex = -1;
  host.focus({ preventScroll: true });
}
