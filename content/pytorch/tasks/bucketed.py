"""Which gradients travel together: buckets as DistributedDataParallel makes them."""

STUB = '''
def bucketed(sizes, cap, first):
    """sizes has the bytes of each parameter, from the network's first to its last. The last one's gradient is ready
    first. A bucket is closed as soon as it has reached its size: first bytes for the first one, cap for the others.
    Returns a tuple of buckets in the order in which they leave, each a tuple of the parameters' numbers from 0."""
    return tuple((number,) for number in range(len(sizes)))
'''


def bucketed(sizes, cap, first):
    buckets, bucket, limit = [], [], first
    for number in reversed(range(len(sizes))):
        bucket.append(number)
        if sum(sizes[each] for each in bucket) >= limit:
            buckets.append(bucket)
            bucket, limit = [], cap
    return tuple(map(tuple, [*buckets, bucket] if bucket else buckets))


def cases():
    yield [4] * 8, 4, 4
    yield [4] * 8, 25, 1
    yield [1024, 2, 1024, 2, 1024, 2], 1024, 1024
    yield [7, 1, 3, 9, 2, 2, 5], 8, 3
    yield [3, 3, 3, 3], 6, 6
    yield [5], 100, 100
    yield [100, 1, 1], 10, 1


def from_the_front(sizes, cap, first):
    """Backward begins at the end of the network: the last parameter's gradient is there first."""
    buckets, bucket, limit = [], [], first
    for number in range(len(sizes)):
        bucket.append(number)
        if sum(sizes[each] for each in bucket) >= limit:
            buckets.append(bucket)
            bucket, limit = [], cap
    return tuple(map(tuple, [*buckets, bucket] if bucket else buckets))


def never_over(sizes, cap, first):
    """A bucket may become larger than its size: it is closed after the gradient that fills it, and not before."""
    buckets, bucket, limit = [], [], first
    for number in reversed(range(len(sizes))):
        if bucket and sum(sizes[each] for each in bucket) + sizes[number] > limit:
            buckets.append(bucket)
            bucket, limit = [], cap
        bucket.append(number)
    return tuple(map(tuple, [*buckets, bucket] if bucket else buckets))


def all_alike(sizes, cap, first):
    """The first bucket has a size of its own."""
    buckets, bucket = [], []
    for number in reversed(range(len(sizes))):
        bucket.append(number)
        if sum(sizes[each] for each in bucket) >= cap:
            buckets.append(bucket)
            bucket = []
    return tuple(map(tuple, [*buckets, bucket] if bucket else buckets))


def full_ones_alone(sizes, cap, first):
    """The last bucket leaves as well, full or not: backward is over."""
    buckets, bucket, limit = [], [], first
    for number in reversed(range(len(sizes))):
        bucket.append(number)
        if sum(sizes[each] for each in bucket) >= limit:
            buckets.append(bucket)
            bucket, limit = [], cap
    return tuple(map(tuple, buckets))


MISTAKES = [from_the_front, never_over, all_alike, full_ones_alone]
