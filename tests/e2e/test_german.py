"""The translated article: German from its header to the verdict of an exercise, and one with its original."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect
from reader import PYTHON_MS, Open, Reader

ROOT = Path(__file__).parents[2]
ENGLISH, GERMAN = "/learning/quantization/", "/de/learning/quantization/"
AWAKE = "[data-progress] [data-all]:enabled"
# What may be in English: code, names of sources and languages, letters of formulas.
OTHER = "[lang=en], code, pre, math, .sources, .card, iframe, script, style, noscript"
ENGLISH_WORDS = re.compile(
    r"\b(the|and|with|step|run|reset|copy|show|check|search|weights|range|share|data)\b", re.I
)

WORDS = """(other) => {
  const found = [];
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node; node = words.nextNode())
    if (!node.parentElement.closest(other)) found.push(node.data.trim());
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [aria-valuetext]"))
    if (!element.closest(other))
      for (const name of ["aria-label", "title", "placeholder", "aria-valuetext"])
        found.push(element.getAttribute(name) ?? "");
  return found.filter(Boolean);
}"""


def open_german(read: Open, path: str = GERMAN) -> Reader:
    return read(path)


def test_nothing_on_the_page_was_left_in_english(read: Open) -> None:
    reader = open_german(read)
    reader.page.locator(AWAKE).wait_for()
    for host in reader.page.locator("[data-lab]").all():
        reader.figure(host.get_attribute("id") or "")
    found: list[str] = reader.page.evaluate(WORDS, OTHER)
    assert len(found) > 500
    # Titles of sources keep their language.
    assert [words for words in found if len(words) < 60 and ENGLISH_WORDS.search(words)] == []
    expect(reader.page.locator(".sentences [lang=en]")).to_have_count(0)


def test_the_language_of_everything_is_said(read: Open) -> None:
    page = open_german(read).page
    expect(page.locator("html")).to_have_attribute("lang", "de")
    links = page.locator("a[href^='/labs/'], header a[href='/'], footer a[href='/glossary/']")
    assert links.count() > 10
    assert {link.get_attribute("hreflang") for link in links.all()} == {"en"}


def test_the_other_language_keeps_the_figure_as_it_is(read: Open) -> None:
    reader = read(f"{ENGLISH}?number_line.step=3#number_line")
    reader.page.locator(AWAKE).wait_for()  # until then the link is what the build wrote
    reader.page.get_by_role("link", name="Deutsch").click()
    expect(reader.page).to_have_url(re.compile(rf"{GERMAN}\?.*number_line\.step=3#number_line$"))
    expect(reader.page.locator("#number_line output")).to_have_text("Schritt 3 von 6")
    reader.page.get_by_role("link", name="English").click()
    expect(reader.page).to_have_url(re.compile(rf"\d{ENGLISH}\?.*number_line\.step=3#number_line$"))
    expect(reader.page.locator("#number_line output")).to_have_text("step 3 of 6")


def test_a_figure_runs_and_takes_a_number_with_a_comma(read: Open) -> None:
    reader = open_german(read)
    figure = reader.figure("number_line").host
    field = figure.get_by_role("textbox", name="Wert")
    expect(field).to_have_value("1,3")
    field.fill("0,75")
    field.press("Enter")
    expect(figure.locator("details.badge summary")).to_have_text("In diesem Browser", timeout=PYTHON_MS)
    reader.address("number_line", value="0.75")
    expect(figure.get_by_role("slider", name="Wert, der gespeichert werden soll")).to_have_attribute(
        "aria-valuetext", "0,75"
    )
    field.fill("viel")
    field.press("Enter")
    expect(figure.locator(".problem", has_text="eine Zahl von −4 bis 4")).to_have_count(1)
    figure.get_by_role("button", name="Zurücksetzen", exact=True).click()
    expect(field).to_have_value("1,3")


def test_an_exercise_is_solved_in_both_languages_at_once(read: Open) -> None:
    reader = open_german(read)
    page = reader.page
    page.locator(AWAKE).wait_for()
    field = page.get_by_label("die Skalierung", exact=True)
    says = page.locator('.blank:has([aria-label="die Skalierung"]) .says')
    for given, words in (("viel", "Gefragt ist eine Zahl"), ("0,1333", "der Bereich wird zuerst gedehnt")):
        field.fill(given)
        field.press("Enter")
        expect(says).to_contain_text(words)
    field.fill("0,1667")
    field.press("Enter")
    expect(says).to_have_text("richtig")
    page.get_by_role("link", name="English").click()
    page.locator(AWAKE).wait_for()
    expect(page.get_by_label("the scale", exact=True)).to_have_value("0,1667")
    expect(page.locator('.blank:has([aria-label="the scale"]) .says')).to_have_text("right")


def test_the_search_finds_german_text(read: Open) -> None:
    page = open_german(read).page
    page.keyboard.press("/")
    finder = page.get_by_role("dialog", name="Suche")
    finder.get_by_role("combobox").fill("Ausreißer")
    expect(finder.get_by_role("status")).to_have_text(re.compile(r"^\d+ Stellen? auf 1 Seite$"))
    for option in finder.get_by_role("option").all():
        assert (option.get_attribute("href") or "").startswith(GERMAN)


def test_the_panels_come_in_german(read: Open) -> None:
    reader = open_german(read)
    figure = reader.page.locator("#number_line")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-live", "")
    for name, words in (
        ("Vergleichen", "Die Abbildung zeigt den aufgezeichneten Lauf selbst"),
        ("Daten", "Alle 6 Schritte, je eine Zeile"),
        ("Quelltext", "Diesen Code ausführen"),
        ("Mitnehmen", "Dieser Schritt als Bild"),
    ):
        figure.get_by_role("button", name=name, exact=True).click()
        expect(figure.get_by_role("region", name=name, exact=True)).to_contain_text(words)


def test_only_the_words_of_the_page_are_loaded(read: Open) -> None:
    loaded = []
    for path in (ENGLISH, GERMAN):
        reader = read(path)
        reader.page.locator(AWAKE).wait_for()
        loaded.append({name for name in reader.requests if "Speak" in name})
    assert [len(names) for names in loaded] == [1, 1]
    assert loaded[0] != loaded[1]


def test_what_was_read_in_german_is_read(read: Open) -> None:
    reader = open_german(read)
    page = reader.page
    page.locator("[data-end]").scroll_into_view_if_needed()
    expect(page.locator("nav [data-article='learning/quantization'][data-read]").first).to_be_attached()
    reader.go("/")
    expect(page.locator("[data-article='learning/quantization'][data-read]")).to_have_count(1)


def test_the_copy_on_a_disk_is_german(browser: Browser) -> None:
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((ROOT / f"frontend/dist/copies{GERMAN.rstrip('/')}.html").as_uri())
    figure = page.locator("[data-lab][data-live]").first
    expect(figure.get_by_text("spielen aufgezeichnete Läufe ab")).to_be_visible()
    figure.get_by_role("button", name="Daten").click()
    expect(figure.get_by_role("region", name="Zahlen dieses Schritts")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "de"
    assert not complaints
    page.close()
