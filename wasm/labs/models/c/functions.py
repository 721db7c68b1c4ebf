"""Small C programs whose last function takes at most two whole numbers: what labs compile unless told otherwise."""

EXAMPLES = {
    "add": """int add(int a, int b) {
  return a + b;
}
""",
    "sum": """int sum(int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += i;
  return total;
}
""",
    "fibonacci": """long fibonacci(int n) {
  long a = 0, b = 1;
  while (n > 0) {
    long next = a + b;
    a = b;
    b = next;
    n--;
  }
  return a;
}
""",
    "gcd": """int gcd(int a, int b) {
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
""",
    "is_prime": """int is_prime(int n) {
  if (n < 2)
    return 0;
  for (int d = 2; d * d <= n; d++)
    if (n % d == 0)
      return 0;
  return 1;
}
""",
    "popcount": """int popcount(unsigned x) {
  int ones = 0;
  while (x) {
    x &= x - 1;
    ones++;
  }
  return ones;
}
""",
    "array_sum": """int items[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

int array_sum(int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += items[i];
  return total;
}
""",
    "dot": """float x[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
float y[16] = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5};

float dot(int n) {
  float total = 0;
  for (int i = 0; i < n; i++)
    total += x[i] * y[i];
  return total;
}
""",
    "sort": """int items[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

int sort(int n, int k) {
  for (int end = n; end > 1; end--)
    for (int i = 1; i < end; i++)
      if (items[i - 1] > items[i]) {
        int larger = items[i - 1];
        items[i - 1] = items[i];
        items[i] = larger;
      }
  return items[k];
}
""",
    "length": """char text[] = "from code to bytes";

int length(void) {
  char *end = text;
  while (*end)
    end++;
  return end - text;
}
""",
    "matrix": """int m[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
int v[4] = {1, -1, 2, 3};
int out[4];

int matrix(int row) {
  for (int i = 0; i < 4; i++) {
    out[i] = 0;
    for (int j = 0; j < 4; j++)
      out[i] += m[i][j] * v[j];
  }
  return out[row & 3];
}
""",
}
