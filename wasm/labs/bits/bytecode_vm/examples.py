"""Programs to begin with."""

EXAMPLES = {
    "a loop": """\
def total(prices, rate):
    cost = 0
    for price in prices:
        cost = cost + price * rate
    return cost

print(total([5, 20, 12], 3))
""",
    "arithmetic": """\
def area(width, height):
    return width * height - 2 * width

print(area(7, 5))
""",
    "a choice": """\
def sign(n):
    if n < 0:
        return "below"
    elif n == 0:
        return "zero"
    return "above"

print(sign(-4), sign(9))
""",
    "while": """\
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a

print(gcd(48, 36))
""",
    "recursion": """\
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

print(fib(5))
""",
    "short circuit": """\
def safe(a, b):
    return b != 0 and a / b > 2 or a == b

print(safe(9, 3), safe(1, 0), safe(0, 0))
""",
    "two names, one list": """\
first = [1, 2]
second = first
second.append(3)
third = first + [4]
first[0] = 9
print(first, second, third)
""",
    "a list": """\
squares = [n * n for n in range(5) if n % 2]
print(squares, sum(squares))
""",
    "a dictionary": """\
def count(text):
    found = {}
    for letter in text:
        found[letter] = found.get(letter, 0) + 1
    return found

print(count("banana"))
""",
    "text": """\
name, n = "Ada", 36
print(f"{name} is {n / 12:.1f} dozen, in hex {n:#x}")
""",
    "a closure": """\
def counter():
    n = 0
    def up(by=1):
        nonlocal n
        n += by
        return n
    return up

up = counter()
print(up(), up(5))
""",
    "an exception": """\
def divide(a, b):
    try:
        return a // b
    except ZeroDivisionError:
        return None

print(divide(7, 2), divide(7, 0))
""",
    "folded away": """\
def seconds():
    return 60 * 60 * 24

def never():
    if 0:
        print("nobody will see this")
    return "a" * 3

print(seconds(), never())
""",
}
