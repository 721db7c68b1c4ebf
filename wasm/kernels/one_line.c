/* y = relu(x @ w + b) with x of 2 by 3 and w of 3 by 4: the arithmetic of one line of Python, and nothing else. */
enum { ROWS = 2, DEPTH = 3, COLUMNS = 4 };

/* So often; the compiler is told each time that memory may have changed, so that no time is left out. */
void one_line(long rounds, const float *x, const float *w, const float *b, float *y) {
  for (; rounds--;) {
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++) {
        float sum = x[i * DEPTH] * w[j];
        for (int k = 1; k < DEPTH; k++) sum += x[i * DEPTH + k] * w[k * COLUMNS + j];
        sum += b[j];
        y[i * COLUMNS + j] = sum > 0 ? sum : 0;
      }
    __asm__ volatile("" : : "r"(y) : "memory");
  }
}
