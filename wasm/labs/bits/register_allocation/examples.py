"""Functions of whole numbers, and how many values they keep alive."""

from labs.models.c.functions import EXAMPLES as FUNCTIONS

EXAMPLES = {
    "a loop of five": """int mix(int a, int b, int n) {
  int x = 1, y = 2;
  for (int i = 0; i < n; i++) {
    int t = x;
    x = y + a;
    y = t + b;
  }
  return x * y;
}
""",
    "gcd": FUNCTIONS["gcd"],
    "fibonacci": FUNCTIONS["fibonacci"],
    "a diamond": """int diamond(int n) {
  int a = n + 1;
  int b = n + 2;
  int c = a * 3;
  int d = b * a;
  int e = b + c;
  int f = d * c;
  return e * d + f;
}
""",
    "a branch": """int pick(int a, int b, int c) {
  int kept = c * 2;
  int best;
  if (a > b)
    best = a - kept;
  else
    best = b;
  return best;
}
""",
    "wide": """int wide(int a, int b) {
  int p = a + b, q = a - b, r = a * b, s = a + 3;
  int t = b + 5, u = p * q, v = r - s, w = t + u;
  return p + q + r + s + t + u + v + w;
}
""",
    "powers": """int powers(int base, int n) {
  int result = 1;
  while (n) {
    if (n & 1)
      result = result * base % 1009;
    base = base * base % 1009;
    n >>= 1;
  }
  return result;
}
""",
    "three loops": """int count(int n, int m) {
  int found = 0;
  for (int i = 1; i <= n; i++)
    for (int j = i; j <= n; j++)
      for (int k = j; k <= n; k++)
        if (i * i + j * j == k * k && (i + j + k) % m == 0)
          found++;
  return found;
}
""",
}
