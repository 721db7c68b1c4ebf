"""A page looks otherwise at night."""

from visit import Visit

COLOUR = "() => getComputedStyle(document.body).backgroundColor"


def darker(visit: Visit) -> list[str]:
    page = visit.reader.page
    night = page.evaluate(COLOUR)
    page.emulate_media(color_scheme="light")
    day = page.evaluate(COLOUR)
    page.emulate_media(color_scheme=visit.theme)
    return [f"its ground is {day} by day and by night"] if day == night else []
