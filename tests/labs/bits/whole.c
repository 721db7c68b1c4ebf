struct pair { long a; char tag; short b[3]; };
union bits { float real; unsigned whole; };
char *words[4] = {"ab", "cd", "ef", "gh"};
int letter(int n) {
  char *own[][2] = {{"ij", "kl"}, {"mn"}}, **from = words;
  from++;
  return words[n & 3][1] + own[n & 1][0][n & 1] + *from[n & 1] + (int)(&words[3] - from);
}
struct pair swapped(struct pair it, int by) { long a = it.a; it.a = it.b[2] + by; it.b[2] = a; return it; }
static int twice(int x) { return 2 * x; }
int minus(int x) { return -x; }
int (*ways[])(int) = {twice, minus, &twice};
int apply(int (*f)(int), int x) { return f ? f(x) : 7; }
long all(int a, int b) {
  struct pair one = {a, 'x', {1, 2, b}}, other = swapped(swapped(one, 3), b);
  union bits u = {.real = a + 0.5f};
  int n = 0;
again:
  n += ways[(n % 3 + 3) % 3](b) + apply(n & 1 ? minus : 0, n);
  if (n < 40 && n > -40 && a-- > 0) goto again;
  n += letter(a) * 7;
  return other.a * 1000 + other.b[2] * 10 + swapped(other, a).b[2] + u.whole % 997 + n + (struct pair){n}.a;
}
