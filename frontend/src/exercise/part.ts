/** One thing that is asked: a blank, a choice, a prediction, a task. What was drawn by the build comes alive here. */
import { progress, type Kept } from "./progress";

export interface Part {
  host: HTMLElement;
  kept: Kept | undefined;
  solve(given: string, found?: Kept["found"]): void;
  /** Keeps a guess beside what came out. */
  compare(given: string, found: Kept["found"]): void;
  reveal(found?: Kept["found"]): void;
  /** Keeps what is not an answer yet. */
  draft(given: string): void;
}

/** Makes a part work. It returns how to show what is kept of it: at first, after an answer, after a fresh start. */
export type Waking = (part: Part) => () => void;

export function partOf(host: HTMLElement, key: string, waking: Waking): Part {
  const part: Part = {
    host,
    kept: progress.get(key),
    solve: (given, found) => progress.set(key, { outcome: "solved", given, found }),
    compare: (given, found) => progress.set(key, { outcome: part.kept?.outcome ?? "guessed", given, found }),
    reveal: (found) => {
      const { outcome, given = "" } = part.kept ?? {};
      if (!outcome) progress.set(key, { outcome: "shown", given, found }); // a draft outlives a look at the answer
    },
    draft: (given) => progress.set(key, { outcome: part.kept?.outcome, given }),
  };
  const show = waking(part);
  const sync = () => {
    host.dataset.outcome = part.kept?.outcome ?? "";
    show();
  };
  progress.addEventListener("change", () => {
    const now = progress.get(key);
    if (now === part.kept) return;
    part.kept = now;
    sync();
  });
  for (const one of host.querySelectorAll<HTMLInputElement>(":disabled")) one.disabled = false;
  host.querySelector<HTMLElement>("button[data-reveal]")?.addEventListener("click", () => part.reveal());
  sync();
  return part;
}

/** What the build wrote down of the question. */
export const asked = <T>(host: HTMLElement): T => JSON.parse(host.dataset.asked!) as T;

/** Writes words where they do not stand yet: what is written again is laid out again. */
export function put(where: Element, words: string): void {
  if (where.textContent.trim() !== words) where.textContent = words;
}

/** A verdict in words, with a sign that needs no colour. */
export function say(
  host: HTMLElement,
  words: string,
  sign: "right" | "wrong" | "guess" | "shown" | "" = "",
): void {
  const says = host.querySelector<HTMLElement>(".says")!;
  put(says, words);
  says.dataset.sign = sign;
}
