"""Base64 by hand: bytes to letters."""

STUB = '''
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

def base64_letters(data):
    """data: a tuple of whole numbers from 0 to 255. Returns a text. Three bytes are 24 bits, and 24 bits are four
    numbers of six bits, the highest bits first; each of them stands for a letter of ALPHABET. If one or two bytes
    are left at the end, missing bits are 0, and letters that would hold nothing but missing bits are "=", so that
    the text always has four letters for each three bytes that were begun."""
    return "".join(ALPHABET[byte % 64] for byte in data)
'''

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def base64_letters(data):
    return "".join(grouped(data))


def grouped(data):
    """A text of four letters for each three bytes that are begun."""
    for start in range(0, len(data), 3):
        some = data[start : start + 3]
        first, second, third = (*some, 0, 0)[:3]
        bits = first << 16 | second << 8 | third
        four = "".join(ALPHABET[bits >> shift & 63] for shift in (18, 12, 6, 0))
        yield four[: len(some) + 1] + "=" * (3 - len(some))


def cases():
    yield ((66, 77, 54),)
    yield ((77, 97, 110, 121),)
    yield ((255, 216, 255, 224, 0),)
    yield ((),)
    yield ((0,),)
    yield ((0, 0, 0, 0, 0, 0),)
    yield ((251, 255, 191),)
    yield (tuple(range(0, 256, 5)),)


def lowest_first(data):
    """The highest six bits come first: 66, 77, 54 begins with the letter of 16, which is Q."""
    return "".join(four[::-1] if "=" not in four else four for four in grouped(data))


def without_padding(data):
    """The last group is filled up to four letters with =."""
    return "".join(grouped(data)).rstrip("=")


def zeros_for_padding(data):
    """A letter that holds nothing but missing bits is =, and not A, which stands for six bits that are 0."""
    return "".join(grouped(data)).replace("=", "A")


def one_letter_short(data):
    """One byte needs two letters, and two bytes need three: as many as it takes to hold their bits."""
    return "".join({2: four[0] + "===", 1: four[:2] + "=="}.get(four.count("="), four) for four in grouped(data))


def always_padded(data):
    """A file whose length is a multiple of three needs no padding."""
    return "".join(grouped(data)) + ("" if len(data) % 3 else "====")


MISTAKES = [lowest_first, without_padding, zeros_for_padding, one_letter_short, always_padded]
