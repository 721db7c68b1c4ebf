"""Programs to begin with, one for each lesson on memory."""

from __future__ import annotations

LESSONS: dict[str, str] = {
    "swap": """\
#include <stdio.h>

void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

int main(void) {
  int x = 3, y = 7;
  swap(&x, &y);
  printf("%d %d\\n", x, y);
  return 0;
}
""",
    "factorial": """\
#include <stdio.h>

int factorial(int n) {
  if (n <= 1)
    return 1;
  int below = factorial(n - 1);
  return n * below;
}

int main(void) {
  int result = factorial(5);
  printf("%d\\n", result);
  return 0;
}
""",
    "array": """\
#include <stdio.h>

int sum(int *from, int *end) {
  int total = 0;
  for (int *p = from; p != end; p++)
    total += *p;
  return total;
}

int main(void) {
  int a[4] = {2, 3, 5, 7};
  int *third = a + 2;
  *third = 50;
  printf("%d %d %ld\\n", sum(a, a + 4), third[-1], third - a);
  return 0;
}
""",
    "list": """\
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

struct node *push(struct node *head, int value) {
  struct node *made = malloc(sizeof(struct node));
  made->value = value;
  made->next = head;
  return made;
}

int main(void) {
  struct node *head = NULL;
  for (int i = 1; i <= 4; i++)
    head = push(head, i * i);
  for (struct node *at = head; at; at = at->next)
    printf("%d ", at->value);
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
""",
    "struct": """\
#include <stdio.h>

struct loose { char tag; double weight; short id; };
struct tight { double weight; short id; char tag; };

int main(void) {
  struct loose a = {'a', 0.5, 7};
  struct tight b = {0.5, 7, 'b'};
  printf("%lu %lu\\n", sizeof a, sizeof b);
  struct tight copy = b;
  copy.id = 8;
  printf("%d %d %g\\n", b.id, copy.id, a.weight);
  return 0;
}
""",
    "aliases": """\
#include <stdio.h>

int total = 10;

void twice(int *n, int *by) {
  *n = *n * 2;
  *n = *n + *by;
}

int main(void) {
  int one = 1;
  twice(&one, &total);
  twice(&total, &total);
  printf("%d %d\\n", one, total);
  return 0;
}
""",
    "strings": """\
#include <stdio.h>
#include <string.h>

char *fixed = "stack";

int main(void) {
  char mine[6] = "stack";
  mine[1] = 'l';
  printf("%s %s %lu\\n", fixed, mine, strlen(mine));
  fixed = mine;
  fixed[4] = 'g';
  printf("%s\\n", mine);
  return 0;
}
""",
    "leak": """\
#include <stdio.h>
#include <stdlib.h>

int *numbers(int count) {
  int *made = malloc(count * sizeof(int));
  for (int i = 0; i < count; i++)
    made[i] = i * i;
  return made;
}

int main(void) {
  int *kept = numbers(3);
  kept = numbers(4);
  printf("%d\\n", kept[3]);
  free(kept);
  kept = NULL;
  return 0;
}
""",
    "leak-until-full": """\
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int count = 0;
  while (malloc(100000))
    count++;
  printf("%d\\n", count);
  return 0;
}
""",
    "use-after-free": """\
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *price = malloc(sizeof(int));
  *price = 100;
  free(price);
  int *age = malloc(sizeof(int));
  *age = 30;
  *price = 99;
  printf("%d\\n", *age);
  free(age);
  return 0;
}
""",
    "double-free": """\
#include <stdlib.h>

void finish(char *buffer) {
  buffer[0] = 0;
  free(buffer);
}

int main(void) {
  char *buffer = malloc(16);
  finish(buffer);
  free(buffer);
  return 0;
}
""",
    "too-deep": """\
#include <stdio.h>

int total(int n) {
  char notes[250000];
  notes[0] = n;
  return notes[0] + total(n - 1);
}

int main(void) {
  printf("%d\\n", total(3));
  return 0;
}
""",
    "stack-overflow": """\
#include <stdio.h>
#include <string.h>

int check(char *given) {
  int allowed = 0;
  char name[8];
  strcpy(name, given);
  if (strcmp(name, "root") == 0)
    allowed = 1;
  return allowed;
}

int main(void) {
  printf("%d\\n", check("guest"));
  printf("%d\\n", check("aaaabbbb\\1"));
  return 0;
}
""",
    "heap-overflow": """\
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *a = malloc(3 * sizeof(int));
  int *b = malloc(3 * sizeof(int));
  b[0] = 1;
  for (int i = 0; i <= 8; i++)
    a[i] = 7;
  printf("%d\\n", b[0]);
  free(a);
  free(b);
  return 0;
}
""",
    "never-written": """\
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int *counts = malloc(4 * sizeof(int));
  counts[0] = 5;
  for (int i = 0; i < 4; i++)
    counts[i]++;
  printf("%d\\n", counts[3]);
  free(counts);
  return 0;
}
""",
    "dangling-pointer": """\
#include <stdio.h>

int *counter(void) {
  int count = 0;
  int *where = &count;
  return where;
}

int other(void) {
  int noise = 1234;
  return noise;
}

int main(void) {
  int *p = counter();
  other();
  *p += 1;
  printf("%d\\n", *p);
  return 0;
}
""",
}
