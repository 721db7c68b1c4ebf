"""The universal family, with its last step missing."""

STUB = '''
def universal(k, a, b, p, m):
    """The slot of the key k among m slots; p is a prime above all keys."""
    return (a * k + b) % p
'''


def universal(k, a, b, p, m):
    return (a * k + b) % p % m


def cases():
    yield 5, 3, 4, 17, 6
    yield 0, 3, 16, 17, 6
    for k in (1, 64, 128, 4096, 2**30):
        yield k, 48271, 11, 2**31 - 1, 64
    yield 100, 1, 0, 101, 100


def no_last_mod(k, a, b, p, m):
    """That is a number below p, not below m: most of the results are no slots."""
    return (a * k + b) % p


def no_prime(k, a, b, p, m):
    """Without p, keys whose difference is a multiple of m still share a slot, whatever a and b are."""
    return (a * k + b) % m


MISTAKES = [no_last_mod, no_prime]
