"""A page never scrolls sideways, with all its figures drawn."""

from collections.abc import Iterator

from visit import Visit

SMALLEST = {"width": 360, "height": 800}


def fits(visit: Visit) -> Iterator[str]:
    page = visit.reader.page
    size = page.viewport_size
    assert size is not None
    yield from too_wide(visit, size["width"])
    if visit.width == "phone":
        page.set_viewport_size(SMALLEST)  # type: ignore[arg-type]
        yield from too_wide(visit, SMALLEST["width"])
        page.set_viewport_size(size)


def too_wide(visit: Visit, width: int) -> Iterator[str]:
    needs = visit.reader.page.evaluate("() => document.documentElement.scrollWidth")
    if needs != width:
        yield f"at {width} px it is {needs} px wide"
