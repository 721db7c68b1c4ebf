"""In which memory format a tensor of four dimensions lies."""

STUB = '''
def memory_format_of(shape, strides):
    """shape: images, channels, rows, columns. strides: of each, in numbers. Returns "contiguous", "channels_last",
    "both" or "neither"."""
    n, c, h, w = shape
    return "contiguous" if strides == (c * h * w, h * w, w, 1) else "neither"
'''


def memory_format_of(shape, strides):
    fits = []
    for name, order in (("contiguous", (3, 2, 1, 0)), ("channels_last", (1, 3, 2, 0))):
        step, good = 1, True
        for dim in order:
            if shape[dim] > 1 and strides[dim] != step:
                good = False
            step *= shape[dim]
        if good:
            fits.append(name)
    return "both" if len(fits) == 2 else fits[0] if fits else "neither"


def cases():
    yield (2, 8, 4, 5), (160, 20, 5, 1)
    yield (2, 8, 4, 5), (160, 1, 40, 8)
    yield (2, 8, 4, 5), (160, 1, 8, 32)  # columns before rows
    yield (2, 8, 4, 5), (320, 1, 40, 8)  # every other image
    yield (4, 1, 32, 32), (1024, 1024, 32, 1)
    yield (4, 1, 32, 32), (1024, 1, 32, 1)
    yield (4, 16, 1, 1), (16, 1, 1, 1)
    yield (4, 16, 1, 1), (16, 1, 16, 16)
    yield (1, 3, 2, 2), (99, 4, 2, 1)  # one image: its stride is never used
    yield (1, 3, 2, 2), (12, 1, 6, 3)


def every_stride(shape, strides):
    """The stride of a dimension of size 1 is never used, and may be anything."""
    _, c, h, w = shape
    if strides == (c * h * w, h * w, w, 1):
        return "contiguous"
    return "channels_last" if strides == (c * h * w, 1, w * c, c) else "neither"


def never_both(shape, strides):
    """With one channel, or one pixel, both orders are the same."""
    for name, order in (("contiguous", (3, 2, 1, 0)), ("channels_last", (1, 3, 2, 0))):
        step, good = 1, True
        for dim in order:
            if shape[dim] > 1 and strides[dim] != step:
                good = False
            step *= shape[dim]
        if good:
            return name
    return "neither"


def by_the_channels(shape, strides):
    """Channels that lie side by side are not enough: rows, columns and images have to follow in order."""
    if shape[1] == 1 or shape[2] == shape[3] == 1:
        return "both"
    return "channels_last" if strides[1] == 1 else "contiguous" if strides[3] == 1 else "neither"


MISTAKES = [every_stride, never_both, by_the_channels]
