"""The letters that argparse gives to the tokens of a command line."""

STUB = '''
import re

NUMBER = re.compile(r"-\\d+|-\\d*\\.\\d+")

def letters(tokens, options):
    """tokens: a tuple of texts. options: a tuple of the names that a parser knows, such as "-v" and "--width"; none
    of them looks like a number. Returns a text with a letter for each token. The first "--" is "-", and every
    token behind it is "A". Before it, an option is "O" and an argument "A". A token without a dash in front, or of
    a single dash, is an argument. Otherwise cut the token at its first "=": if what is left is a name, or the
    beginning of one, it is an option. So is a token with one dash whose first two characters are a name, such as
    "-w640". Of the rest, a token that NUMBER matches in full, or that has a blank in it, is an argument. All else
    is an option, even if the parser has no such name."""
    return "".join("O" if token in options else "A" for token in tokens)
'''

import re  # noqa: E402

NUMBER = re.compile(r"-\d+|-\d*\.\d+")


def letters(tokens, options):
    found = ""
    for place, token in enumerate(tokens):
        if token == "--":
            return found + "-" + "A" * (len(tokens) - place - 1)
        found += "O" if is_option(token, options) else "A"
    return found


def is_option(token, options):
    if not token.startswith("-") or token == "-":
        return False
    name = token.split("=", 1)[0]
    if token in options or name in options or any(one.startswith(name) for one in options):
        return True
    if not token.startswith("--") and token[:2] in options:
        return True
    return not NUMBER.fullmatch(token) and " " not in token


def cases():
    options = ("-v", "--verbose", "-w", "--width", "--shift")
    yield ("-v", "a.png", "--width", "640"), options
    yield ("--wid", "640", "a.png"), options
    yield ("--shift", "-3", "-.5", "a.png"), options
    yield ("-w640", "--width=5", "-", ""), options
    yield ("-v", "--", "-w", "--", "a.png"), options
    yield ("--nothing", "-x", "a"), options
    yield ("-x y.png", "--out put", "-w 5", "--width=5 px"), options
    yield (), options
    yield ("--", "-v"), options
    yield ("-3", "-v3", "--3"), options


def only_whole_names(tokens, options):
    """A name may be abbreviated, stand before an equals sign, or have its value joined to it; and a name that
    nobody declared is an option, too."""
    found = ""
    for place, token in enumerate(tokens):
        if token == "--":
            return found + "-" + "A" * (len(tokens) - place - 1)
        found += "O" if token in options else "A"
    return found


def every_dash(tokens, options):
    """A single dash, a negative number, and a text with a blank in it begin with a dash and are arguments."""
    found = ""
    for place, token in enumerate(tokens):
        if token == "--":
            return found + "-" + "A" * (len(tokens) - place - 1)
        found += "O" if token.startswith("-") else "A"
    return found


def past_the_dashes(tokens, options):
    """Behind two dashes everything is an argument, whatever it looks like."""
    return "".join("-" if token == "--" else "O" if is_option(token, options) else "A" for token in tokens)


def without_blanks(tokens, options):
    """A token with a blank in it that begins no name is an argument, although it begins with a dash."""
    found = ""
    for place, token in enumerate(tokens):
        if token == "--":
            return found + "-" + "A" * (len(tokens) - place - 1)
        found += "O" if is_option(token.replace(" ", ""), options) else "A"
    return found


def no_dashes(tokens, options):
    """The first -- has the letter -, and everything behind it is an A."""
    return "".join("O" if token in options else "A" for token in tokens) if "--" in tokens else None


MISTAKES = [no_dashes, only_whole_names, every_dash, past_the_dashes, without_blanks]
