/** Answers of C and of WebAssembly, which knows fewer types. */

/** Whether two answers are one: whole numbers modulo their width, floating ones as they are. */
export function same(value: string, answer: string, returns: string): boolean {
  if (returns === "void") return true;
  const [one, other] = [number(value), number(answer)];
  if (returns === "float") return Object.is(Math.fround(one), Math.fround(other)) || one === other;
  if (returns === "double") return Object.is(one, other) || one === other;
  return normal(value, returns) === normal(answer, returns);
}

/** What is no number has a sign in C, and other names. */
function number(text: string): number {
  if (/nan/i.test(text)) return NaN;
  if (/inf/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return Number(text);
}

/** A whole number as C prints it; WebAssembly knows no sign and no width below 32 bits. */
export function normal(value: string, returns: string): string {
  if (/void|float|double/.test(returns)) return value;
  const bits =
    returns === "_Bool"
      ? 1
      : /char/.test(returns)
        ? 8
        : /short/.test(returns)
          ? 16
          : /long/.test(returns)
            ? 64
            : 32;
  const wrap = /unsigned|_Bool/.test(returns) ? BigInt.asUintN : BigInt.asIntN;
  return String(wrap(bits, BigInt(value)));
}
