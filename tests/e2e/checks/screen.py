"""The picture of a figure, its sentence and its step bar are on one screen together."""

from visit import Visit

# From the top of each picture to the end of its step bar, and how much of the picture is seen at once.
SEEN = """() => [...document.querySelectorAll("[data-lab] figure")].map((figure) => {
  figure.scrollIntoView();
  const pane = figure.querySelector(".pane"), top = pane.getBoundingClientRect().top;
  const end = figure.querySelector(".timeline .bar").getBoundingClientRect().bottom;
  return [figure.ariaLabel, Math.round(end - top), innerHeight, pane.clientHeight, pane.scrollHeight];
})"""
LEAST = 0.5  # of the screen is for a picture that is higher


def one_screen(visit: Visit) -> list[str]:
    figures = visit.reader.page.evaluate(SEEN)
    return [
        f"{label}: {needs} px from picture to step bar on a screen of {screen}; {seen} px of {high} are seen"
        for label, needs, screen, seen, high in figures
        if needs > screen or seen < min(high, LEAST * screen)
    ]
