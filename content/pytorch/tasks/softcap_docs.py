"""A docstring whose examples doctest runs, and finds true."""

import doctest
import math

STUB = '''
def softcap_docs(call):
    """For softcap(x, cap=30.0), which takes a float and returns the float cap * tanh(x / cap). call: one of
    "softcap(0.0)", "round(softcap(30.0), 4)", "round(softcap(3.0, cap=2.5), 4)", "softcap(3000.0)" and
    "softcap(-3000.0)". Returns a docstring with an example of it, as doctest reads them. All examples have to be
    true. One docstring may answer every call."""
    return DOCS

DOCS = """
softcap(x, cap=30.0): x where it is small, and never beyond cap.

>>> softcap(0.0)
0.0
>>> softcap(3000.0)
50.0
"""
'''

DOCS = """
softcap(x, cap=30.0): x where it is small, and never beyond cap.

>>> softcap(0.0)
0.0
>>> round(softcap(30.0), 4)
22.8478
>>> round(softcap(3.0, cap=2.5), 4)
2.0841
>>> softcap(3000.0)
30.0
>>> softcap(-3000.0)
-30.0
"""


def softcap_docs(call):
    parsed = doctest.DocTestParser().get_examples(DOCS)
    return next(f">>> {call}\n{each.want}" for each in parsed if each.source.strip() == call)


def softcap(x, cap=30.0):
    return cap * math.tanh(x / cap)


def same(got, expected):
    """Whether what the reader wrote has the example, and doctest finds nothing false."""
    if not isinstance(got, str):
        return False
    parser = doctest.DocTestParser()
    has = {(each.source, each.want) for each in parser.get_examples(got)}
    wanted = {(each.source, each.want) for each in parser.get_examples(expected)}
    test = parser.get_doctest(got, {"softcap": softcap}, "softcap", None, 0)
    return wanted <= has and doctest.DocTestRunner(verbose=False).run(test, out=lambda _: None).failed == 0


def cases():
    yield ("softcap(0.0)",)
    yield ("round(softcap(30.0), 4)",)
    yield ("round(softcap(3.0, cap=2.5), 4)",)
    yield ("softcap(3000.0)",)
    yield ("softcap(-3000.0)",)


def stale(call):
    """doctest prints what it got instead: those were the numbers when the default of cap was 50."""
    return DOCS.replace("22.8478", "26.8525").replace("30.0\n", "50.0\n")


def without_prompt(call):
    """Without >>> doctest sees no example, and passes: nothing was tried."""
    return DOCS.replace(">>> ", "")


def as_whole_numbers(call):
    """doctest compares the text that Python prints: 30.0 is a float, and 30 is not."""
    return DOCS.replace("30.0\n", "30\n").replace("\n0.0\n", "\n0\n")


def begun(call):
    """All examples are run for each case, so that one which is false fails every case: softcap(3000.0) prints 30.0
    now. And three examples are missing."""
    made = {}
    exec(STUB, made)
    return made["DOCS"]


MISTAKES = [begun, stale, without_prompt, as_whole_numbers]
