/* What threads_cpu computes, in C: points of a grid inside a circle, row by row. No object of Python is touched, so
   that a thread which is in here needs no interpreter. */

/* Points (x, y) with x in [low, high) and y in [0, r) for which x² + y² < r². */
long circle(long low, long high, long r) {
  long count = 0;
  for (long x = low; x < high; x++)
    for (long y = 0; y < r; y++)
      count += x * x + y * y < r * r;
  return count;
}
