/** The product in JavaScript: a number of A times a row of B, added to a row of C, over typed arrays. */
import type { Operands, Work } from "./work";

export function javascript({ n, rows, a, b }: Operands): Work {
  const c = new Float32Array(rows * n);
  return {
    run(rounds) {
      while (rounds--) multiply(n, rows, a, b, c);
    },
    product: () => c,
    close: () => undefined,
  };
}

function multiply(n: number, rows: number, a: Float32Array, b: Float32Array, c: Float32Array): void {
  c.fill(0);
  for (let i = 0; i < rows; i++)
    for (let k = 0; k < n; k++) {
      const left = a[i * n + k]!;
      for (let j = 0; j < n; j++) c[i * n + j]! += left * b[k * n + j]!;
    }
}
