"""The bits of an fp32, rounded to those of a bf16."""

STUB = '''
def to_bf16(bits):
    """bits: the 32 bits of a float32 that is a number. Returns the 16 bits of the nearest bfloat16."""
    return bits >> 16
'''


def to_bf16(bits):
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def cases():
    yield (0x3F800000,)  # 1
    yield (0x3F8CCCCD,)  # 1.1
    yield (0x3DCCCCCD,)  # 0.1
    yield (0x3F808000,)  # a tie, down to the even
    yield (0x3F818000,)  # a tie, up to the even
    yield (0x3F808001,)  # just above a tie
    yield (0x3FFFFFFF,)  # the carry reaches the exponent
    yield (0xC0490FDB,)  # −π
    yield (0x00000000,)
    yield (0x7F7FFFFF,)  # the largest, beyond those of bf16


def cut(bits):
    """That cuts the lower half off: numbers become smaller in size by up to a whole unit."""
    return bits >> 16


def half_up(bits):
    """Ties go up here; half of them should go down, to the even neighbour, or sums drift."""
    return (bits + 0x8000) >> 16


def half_down(bits):
    """Ties go down here; half of them should go up, to the even neighbour, or sums drift."""
    return (bits + 0x7FFF) >> 16


def other_bit(bits):
    """The tie is decided by the last bit that stays, bit 16, not by the first that goes."""
    return (bits + 0x7FFF + (bits >> 15 & 1)) >> 16


MISTAKES = [cut, half_up, half_down, other_bit]
