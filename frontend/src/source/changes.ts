/** Which lines of a text differ from another: the longest common subsequence of lines, as in `diff`. */

export interface Changes {
  /** Lines of the new text, counted from 1, that the old one does not have there. */
  lines: number[];
  /** Lines added or changed, and lines left out. */
  count: number;
}

/** Beyond this the whole middle counts as changed: no reader would read such a difference line by line. */
const MOST_CELLS = 4_000_000;

export function changes(before: string, after: string): Changes {
  if (before === after) return { lines: [], count: 0 };
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const old = a.slice(start, a.length - end);
  const now = b.slice(start, b.length - end);
  const kept = old.length * now.length > MOST_CELLS ? new Set<number>() : common(old, now);
  const lines = now.flatMap((_, i) => (kept.has(i) ? [] : [start + i + 1]));
  return { lines, count: Math.max(lines.length, old.length - kept.size) };
}

/** The places in `b` of the longest sequence of lines that both have in this order. */
function common(a: string[], b: string[]): Set<number> {
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  const kept = new Set<number>();
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      kept.add(j);
      i++;
      j++;
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i++;
    else j++;
  }
  return kept;
}
