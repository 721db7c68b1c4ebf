/** Numbers that count. The text of the page is the new one at once; what counts is drawn in its place for a while. */
import { lang, texts } from "../../words";

const NUMBER = /(\d[\d.,]*\d|\d)/;
/** Digits that are part of a word, as in 0x1F and 1e+20, are no amount. */
const WORD = /[a-z]\d|\d[a-z]/i;

interface Figures {
  value: number;
  digits: number;
  grouped: boolean;
}

function read(text: string): Figures {
  const { decimal, group } = texts().notation;
  const plain = text.replaceAll(group, "").replace(decimal, ".");
  return { value: Number(plain), digits: plain.split(".")[1]?.length ?? 0, grouped: text.includes(group) };
}

/** The words between two texts that differ in their numbers alone, for a share of the way; undefined if they differ
 *  in more. */
export function between(from: string, to: string): ((share: number) => string) | undefined {
  const [old, now] = [from.split(NUMBER), to.split(NUMBER)];
  if (
    from === to ||
    WORD.test(`${from} ${to}`) ||
    old.length !== now.length ||
    old.some((part, i) => i % 2 === 0 && part !== now[i])
  )
    return undefined;
  return (share) =>
    now
      .map((part, i) => {
        if (i % 2 === 0) return part;
        const [start, end] = [read(old[i]!), read(part)];
        return (start.value + (end.value - start.value) * share).toLocaleString(lang(), {
          minimumFractionDigits: end.digits,
          maximumFractionDigits: end.digits,
          useGrouping: start.grouped || end.grouped,
        });
      })
      .join("");
}

/** Count from these words to those that the node has. */
export function count(node: HTMLElement, from: string, duration: number): void {
  const words = node.textContent;
  const at = between(from, words);
  const start = performance.now();
  const still = () => delete node.dataset.counting;
  if (!at) return void still();
  const step = (now: number) => {
    if (!node.isConnected || node.textContent !== words) return; // it counts to something else by now
    const share = Math.min(1, Math.max(0, (now - start) / duration));
    if (share === 1) return void still();
    node.dataset.counting = at(share * (2 - share));
    requestAnimationFrame(step);
  };
  step(start);
}
