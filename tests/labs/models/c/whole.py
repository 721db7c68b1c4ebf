"""Random C programs with structs and unions handed over whole, pointers to functions and goto; all is defined."""

from __future__ import annotations

import random

MEMBERS = ("char", "short", "int", "long", "unsigned char", "double", "float")


class Program:
    """Types, functions on them, and a main that prints what they give. Equal seeds are equal programs."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.members = {
            f"s{n}": [(self.chance.choice(MEMBERS), f"m{k}") for k in range(self.chance.randint(1, 6))]
            for n in range(3)
        }

    def text(self) -> str:
        lines = ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>"]
        for name, members in self.members.items():
            inside = " ".join(f"{kind} {member};" for kind, member in members)
            lines.append(f"struct {name} {{ {inside} int list[{self.chance.randint(1, 3)}]; }};")
            lines += [self.maker(name), self.changer(name), self.summer(name)]
        lines += [
            "union either { unsigned whole; float real; unsigned char bytes[4];",
            "  struct { short low, high; } half; };",
            "union either flipped(union either u) { u.bytes[3] ^= 128; return u; }",
            "typedef long (*operation)(long, long);",
            "static inline long add(long a, long b) { return a + b; }",
            "long sub(long a, long b) { return a - b; }",
            "long times(long a, long b) { return a % 1000 * (b % 1000); }",
            "long apply(operation f, long a, long b) { return f ? f(a, b) : -1; }",
            "operation choose(int n) { return n % 3 == 0 ? add : n % 3 == 1 ? &sub : times; }",
            "operation table[4] = {add, &sub, times};",
            'struct named { char name[4]; operation f; } all[] = {{"a", add}, {.f = sub, .name = "s"}};',
            "int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }",
            "int down(const void *a, const void *b) { return up(b, a); }",
            self.jumps(),
            "int main(void) {",
        ]
        for name in self.members:
            lines += self.uses(name)
        return "\n".join([*lines, *self.calls(), *self.sorts(), "  return 0;", "}", ""])

    def number(self) -> int:
        return self.chance.randint(-100, 100)

    def maker(self, name: str) -> str:
        values = ", ".join(f".{member} = (a + {self.number()}) % 50" for _, member in self.members[name])
        ways = (
            f"struct {name} r = {{{values}}}; r.list[0] = a; return r;",
            f"return (struct {name}){{{values}, .list = {{a}}}};",
            f"struct {name} r = {{0}}; if (a > 0) {{ r = make_{name}(a / 2 - 1); r.list[0]++; }} return r;",
        )
        return f"struct {name} make_{name}(int a) {{ {self.chance.choice(ways)} }}"

    def changer(self, name: str) -> str:
        member = self.chance.choice(self.members[name])[1]
        return f"struct {name} change_{name}(int by, struct {name} it) {{ it.{member} += by % 7; return it; }}"

    def summer(self, name: str) -> str:
        terms = " + ".join(f"(long)it.{member}" for _, member in self.members[name])
        return f"long sum_{name}(struct {name} it, struct {name} other) {{ return {terms} + other.list[0]; }}"

    def uses(self, name: str) -> list[str]:
        made, changed = f"make_{name}({self.number()})", f"change_{name}({self.number()}, x)"
        return [
            "  {",
            f"    struct {name} x = {made}, y[2] = {{{made}}};",
            f"    struct {name} (*maker)(int) = make_{name};",
            f"    y[1] = {changed}; x = y[{self.chance.randint(0, 1)}] = {changed};",
            f'    printf("%ld %ld\\n", sum_{name}(x, y[1]), sum_{name}({changed}, (*maker)({self.number()})));',
            f'    printf("%d %ld\\n", {made}.list[0], (long)sizeof(struct {name}));',
            "  }",
        ]

    def calls(self) -> list[str]:
        a, b = self.number(), self.number()
        return [
            f'  for (int n = 0; n < 6; n++) printf("%ld %ld ", choose(n)({a}, n), apply(table[n % 4], n, {b}));',
            f'  printf("%ld %s\\n", all[1].f({a}, {b}), all[1].name);',
            f"  union either u = {{{abs(a)}u}}, v = {{.real = {b / 8}f}}; u = flipped(u);",
            '  printf("%u %d %d %d %.9g\\n", u.whole, v.bytes[3], v.half.high, (int)sizeof u, flipped(v).real);',
            f'  printf("%d %d\\n", jumps({abs(a)}), table[0] == add && table[3] == NULL && add != sub);',
        ]

    def jumps(self) -> str:
        """Out of loops, back, and past declarations."""
        limit, step = self.chance.randint(3, 30), self.chance.randint(1, 4)
        return f"""int jumps(int n) {{
  int turns = 0, total = 0;
again:;
  int inner = n + turns;
  for (int i = 0; i < 10; i++) {{
    int here = i * inner;
    for (int j = 0; j < 10; j++) {{ int deep = j + here; total += deep % 13; if (total % 7 == 3) goto out; }}
  }}
  goto out;
out:
  turns += {step};
  if (turns < {limit}) goto again;
  if (total % 2) {{ int one = 1; total += one; goto end; }}
  int late = 5; total += late;
end:
  return total;
}}"""

    def sorts(self) -> list[str]:
        items = [self.number() for _ in range(self.chance.randint(1, 20))]
        words = [self.chance.choice(("ab", "c", "dd")) for _ in range(4)]
        return [
            f"  int items[] = {{{', '.join(map(str, items))}}}; int count = sizeof items / sizeof *items;",
            f"  qsort(items, count, sizeof *items, {self.chance.choice(('up', 'down'))});",
            '  for (int n = 0; n < count; n++) printf("%d ", items[n]);',
            "  qsort(items, count, sizeof(int), up);",
            f"  int key = {self.chance.choice([*items, 1000])};",
            "  int *found = bsearch(&key, items, count, sizeof key, up);",
            '  printf("%d\\n", found ? *found : -1000);',
            f'  char text[] = "{" , ".join(words)},"; char *word = strtok(text, " ,");',
            '  for (; word; word = strtok(NULL, " ,")) printf("%s.%d ", word, (int)strcspn(word, "c"));',
        ]
