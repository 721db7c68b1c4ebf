"""Three tasks for a cell, each told by what its sequences are written in: parentheses, letters, or numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from labs.contract import LabError
from labs.models.recurrent import Floats

Name = Literal["parentheses", "copy", "passengers"]

LONGEST = 24
DEEPEST = 8
LETTERS = "abc"
MIDDLE, SPREAD = 5.5, 0.45
"""Of the logarithm of thousands of passengers: what the cell reads lies around 0."""
FEWEST, MOST = 50.0, 900.0


@dataclass(frozen=True)
class Task:
    name: Name
    encode: Callable[[str], Floats]
    """Of a sequence: ``[steps, inputs]``"""
    symbols: Callable[[str], list[str]]
    """Of a sequence, what is read at each step."""


def one_hot(alphabet: str) -> Callable[[str], Floats]:
    return lambda text: np.eye(len(alphabet))[[alphabet.index(letter) for letter in text]]


def level(passengers: Floats) -> Floats:
    """What a cell reads of thousands of passengers."""
    result: Floats = (np.log(passengers) - MIDDLE) / SPREAD
    return result


def restored(levels: Floats) -> Floats:
    """And back."""
    result: Floats = np.exp(MIDDLE + SPREAD * levels)
    return result


def months(text: str) -> Floats:
    """``[steps]`` thousands of passengers"""
    return np.array([float(word) for word in text.split()])


def depths(text: str) -> Floats:
    """``[steps]`` how many parentheses are open behind each."""
    return np.cumsum([1.0 if letter == "(" else -1.0 for letter in text])


PARENTHESES = Task("parentheses", one_hot("()"), list)
COPY = Task("copy", one_hot(LETTERS + "."), list)
PASSENGERS = Task("passengers", lambda text: level(months(text))[:, None], str.split)


def read(text: str) -> tuple[Task, str]:
    """Which task a sequence is, and the sequence without what does not count. Raises ``LabError`` with advice."""
    joined = "".join(text.split())
    if not joined:
        raise LabError("The sequence is empty: type parentheses, letters with dots, or numbers of passengers.")
    if set(joined) <= set("()"):
        return PARENTHESES, checked_parentheses(joined)
    if set(joined) <= set(LETTERS + "."):
        return COPY, checked_copy(joined)
    return PASSENGERS, checked_months(text.replace(",", " ").split())


def short_enough(steps: int) -> None:
    if steps > LONGEST:
        raise LabError(f"The sequence has {steps} steps: keep it to {LONGEST}.")


def checked_parentheses(text: str) -> str:
    short_enough(len(text))
    depth = depths(text)
    if depth.min() < 0:
        at = int(np.argmax(depth < 0))
        raise LabError(f"The parenthesis at place {at + 1} closes nothing: open one before it.")
    if depth.max() > DEEPEST:
        raise LabError(f"More than {DEEPEST} parentheses are open at once: close some earlier.")
    return text


def checked_copy(text: str) -> str:
    short_enough(len(text))
    if not re.fullmatch(rf"[{LETTERS}]+\.*", text):
        raise LabError("Type letters first and then dots, such as abc...: at a dot the cell has to recall.")
    return text


def checked_months(words: list[str]) -> str:
    short_enough(len(words))
    for at, word in enumerate(words, 1):
        if not re.fullmatch(r"\d{1,4}(\.\d+)?", word):
            raise LabError(
                f"{word[:12]!r} at place {at} is no number: type parentheses, the letters {', '.join(LETTERS)} "
                "with dots after them, or numbers of passengers."
            )
        if not FEWEST <= float(word) <= MOST:
            raise LabError(f"Month {at} has {word} thousand passengers: stay between {FEWEST:.0f} and {MOST:.0f}.")
    return " ".join(words)


@dataclass(frozen=True)
class Told:
    """What a cell answered at each step and what was right: numbers, NaN where nothing is asked, and words."""

    answers: Floats
    targets: Floats
    said: list[str]
    wanted: list[str]
    off: float


def answer(task: Name, text: str, outputs: Floats) -> Told:
    """What outputs ``[steps, outputs]`` of a cell say of a sequence."""
    if task == "copy":
        return recalled(text, outputs)
    if task == "parentheses":
        got, right = outputs[:, 0] * DEEPEST, depths(text)
        said, wanted = ([f"{value:.1f}" for value in got], [f"{value:.0f}" for value in right])
    else:
        got, right = restored(outputs[:, 0]), np.append(months(text)[1:], np.nan)
        said = [f"{value:.0f}" for value in got]
        wanted = ["" if np.isnan(value) else f"{value:.0f}" for value in right]
    known = ~np.isnan(right)
    return Told(got, right, said, wanted, float(np.abs(got - right)[known].mean()) if known.any() else 0.0)


def recalled(text: str, outputs: Floats) -> Told:
    """The letters that a cell gives at the dots; a dot beyond the last letter asks for none."""
    letters = text.rstrip(".")
    places = np.full(len(text), np.nan)
    end = min(len(text), 2 * len(letters))
    places[len(letters) : end] = [LETTERS.index(letter) for letter in letters[: end - len(letters)]]
    asked = ~np.isnan(places)
    got = np.where(asked, outputs.argmax(axis=1), np.nan)
    said, wanted = (
        [LETTERS[int(value)] if there else "" for value, there in zip(row, asked, strict=True)]
        for row in (got, places)
    )
    return Told(got, places, said, wanted, float((got != places)[asked].mean()) if asked.any() else 0.0)
