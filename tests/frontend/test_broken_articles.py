"""An article that a reader would find broken does not build, and the message says where and what to do."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import small_site
from in_node import told

ROOT = Path(__file__).parents[2]
FRONTEND = ROOT / "frontend"
BIN = Path(sys.executable).parent  # node stands beside python
GOOD = '<Lab id="learning/number_line" label="A line">\n\nDrag it.\n\n</Lab>'

SOURCES = "---\nsources:\n  - key: one2017\n    title: One\n    href: https://example.org/\n---"
BLANK = '<Blank label="x" answer={1} />'


def exercise(text: str) -> str:
    return f'<Exercise id="a" title="A">\n\n{text}\n\n<Answer>\n\nIt is so.\n\n</Answer>\n\n</Exercise>'


# name -> (text, line of the mistake, what the message says)
BROKEN: dict[str, tuple[str, int, str]] = {
    "a lab that is not there": (
        'Text.\n\n<Lab id="learning/nombre_line" label="A line" />',
        3,
        r"no lab is called learning/nombre_line; there are .*learning/number_line",
    ),
    "99-nowhere.de": ("Text.", 1, r"there is no content/learning/99-nowhere\.mdx that this translates"),
    "03-quantization.de": (
        "Text.\n\n" + GOOD.replace(" label", ' name="other" label'),
        3,
        r"content/learning/03-quantization\.mdx has <Lab> learning/number_line here, this has <Lab> other",
    ),
    "04-unheard.fr": ("Text.", 1, r"unheard\.fr\.mdx is not called"),
    "no lab at all": ('<Lab label="A line" />', 1, r'<Lab> needs id="series/lab"'),
    "an attribute that it does not take": (
        'Text.\n\nText.\n\n<Lab id="learning/number_line" label="A line" bits="4" />',
        5,
        r"<Lab> does not take bits; it takes id, label",
    ),
    "a misspelt attribute": (
        '<Lab id="learning/number_line" lable="A line" label="A line" />',
        1,
        r"does not take lable",
    ),
    "no label": ('\n<Lab id="learning/number_line" />', 2, r"needs label=.* who cannot see it"),
    "an empty label": ('<Lab id="learning/number_line" label="  " />', 1, r"needs label="),
    "a recording that was not made": (
        '<Lab id="learning/number_line" label="A line" recording="nope" />',
        1,
        r"learning/number_line has no recorded run nope; make record writes it",
    ),
    "a value of no lab": ('So <Value of="learning/nope" at="step.scale" /> it is.', 1, r"no lab is called"),
    "a dead link within the site": (
        "# One\n\n[there](/learning/nope/)",
        3,
        r"no page has the address /learning/nope/",
    ),
    "a page without its slash": ("[there](/learning/quantization)", 1, r"a page's address ends in /"),
    "a dead link in HTML": ('Text.\n\n<a href="/nope/">there</a>', 3, r"no page has the address /nope/"),
    "a dead anchor": ("# One\n\nText [there](#two).", 3, r"nothing on this page is called #two; there are .*#one"),
    "an anchor on no figure": (f"{GOOD}\n\n[it](#numberline)", 7, r"#numberline; there are .*#number_line"),
    "a link without an address": ("[there]()", 1, r"write the link without an address as"),
    "a relative link": ("[there](other.md)", 1, r"write the link other\.md as /series/article/"),
    "two figures of one name": (f"{GOOD}\n\n{GOOD}", 7, r"two things on this page are called number_line; .*name="),
    "a figure called as a heading is": (
        '# Again\n\n<Lab id="learning/number_line" label="A line" name="again" />',
        3,
        r"two things on this page are called again",
    ),
    "a source that is not there": (
        f'{SOURCES}\n\nSo it is.<Cite key="one2018" />',
        8,
        r"no source of this article has the key one2018; there are one2017",
    ),
    "a citation where there are no sources": ('<Cite key="one2017" />', 1, r"the key one2017; there are none"),
    "a citation without a key": (f"{SOURCES}\n<Cite />", 7, r'<Cite> needs key="…", one of one2017'),
    "a citation with more than a key": (
        f'{SOURCES}\n<Cite key="one2017" page="3" />',
        7,
        r"<Cite> does not take page; it takes key",
    ),
    "a term that is not there": (
        'Its\n\n<Gloss term="zero pint">zero point</Gloss> is 0.',
        3,
        r"the glossary has no term zero pint; add it to content/glossary\.json, or use one of .*zero point",
    ),
    "a term without a name": ("<Gloss>zero point</Gloss>", 1, r'<Gloss> needs term="…"'),
    "a note within a paragraph": ("Text <Aside>and more</Aside>.", 1, r"an <Aside> stands between paragraphs"),
    "a heading with a link in it": ("Text.\n\n## To [there](/)", 3, r"a heading is a link to itself"),
    "a picture without words": ("Text.\n\n![](/favicon.svg)", 3, r"a picture needs words"),
    "a picture in HTML without words": (
        'Text.\n\n<img src="/favicon.svg" />',
        3,
        r"needs words in its place: alt=",
    ),
    "a concept that is not there": (
        'Text.\n\nThe <Term of="skale">scale</Term>.',
        3,
        r"no concept is called skale; there are .*scale",
    ),
    "a term without its concept": ("The <Term>scale</Term>.", 1, r"no concept is called nothing"),
    "a concept in mathematics": (f"{GOOD}\n\nTake $\\of{{skale}}{{s}}$.", 7, r"no concept is called skale"),
    "half a fraction": ("A\n\n$\\frac{1}$", 3, r"the formula \\frac\{1\} is no .* Unexpected end of input"),
    "no TeX": ("$$\n\\fraction\n$$", 1, r"the formula \\fraction is no .* function name: \\fraction$"),
    "a concept in code": ('Text.\n\n```python marks="s=skale"\ns = 1\n```', 3, r"no concept is called skale"),
    "a step of no figure": (
        f'{GOOD}\n\nAt <Step figure="line" n={{2}}>step 2</Step>.',
        7,
        r"<Step> needs figure=.*; there are number_line",
    ),
    "a step beyond the end": (
        f'{GOOD}\n\nAt <Step figure="number_line" n={{7}}>step 7</Step>.',
        7,
        r"a step of the recorded run default of learning/number_line, 1 to 6}, not 7",
    ),
    "a step zero": (f'{GOOD}\n\n<Step figure="number_line" n={{0}}>here</Step>', 7, r"1 to 6}, not 0"),
    "no step": (f'{GOOD}\n\n<Step figure="number_line">here</Step>', 7, r"1 to 6}, not nothing"),
    "an unknown parameter": (
        f'{GOOD}\n\n<Set figure="number_line" bit={{4}}>four</Set>',
        7,
        r"learning/number_line has no parameter bit; it has .*bits",
    ),
    "a value that is not taken": (
        f'{GOOD}\n\n<Set figure="number_line" bits={{9}}>nine</Set>',
        7,
        r"bits must be a whole number from 2 to 8, not 9",
    ),
    "a choice that there is not": (
        f'{GOOD}\n\n<Set figure="number_line" scheme="skew">so</Set>',
        7,
        r"scheme must be one of symmetric, asymmetric, not skew",
    ),
    "nothing to set": (f'{GOOD}\n\n<Set figure="number_line">so</Set>', 7, r"<Set> needs a parameter to set"),
    "a number of no figure": ('<Scrub figure="number_line" param="bits" />', 1, r"there are none"),
    "a number of no parameter": (
        f'{GOOD}\n\nAt <Scrub figure="number_line" param="bit" /> bits.',
        7,
        r"has no parameter bit",
    ),
    "a number that is none": (
        f'{GOOD}\n\n<Scrub figure="number_line" param="scheme" />',
        7,
        r"<Scrub> shows a number, and scheme is none",
    ),
    "an exercise without an answer": (
        'Text.\n\n<Exercise id="a" title="A">\n\n<Blank label="x" answer={1} />\n\n</Exercise>',
        3,
        r"<Exercise> needs one <Answer>",
    ),
    "an exercise that asks nothing": (exercise("Nothing."), 1, r"<Exercise> asks nothing: put a Blank, Choice"),
    "two exercises of one name": (
        exercise(BLANK) + "\n\n" + exercise(BLANK),
        13,
        r"two exercises on this page are called a",
    ),
    "a blank of no lab": (exercise('<Blank label="x" of="learning/nope" at="a.b" />'), 3, r"no lab is called"),
    "a blank of no recording": (
        exercise('<Blank label="x" of="learning/number_line" recording="nope" at="step.scale" />'),
        3,
        r"learning/number_line has no recorded run nope",
    ),
    "a blank at no field": (
        exercise('<Blank label="x" of="learning/number_line" at="step.scall" />'),
        3,
        r'<Blank at="step.scall"/>: learning/number_line has no scall there; it has .*scale',
    ),
    "a mistake at no field": (
        exercise(
            '<Blank label="x" of="learning/number_line" at="step.scale" mistakes={[{ at: "step.x", says: "" }]} />'
        ),
        3,
        r"has no x there",
    ),
    "a blank outside an exercise, without a name": (f"It is {BLANK}.", 1, r"<Blank> needs id=.* outside"),
    "a hint outside an exercise": ("<Hint>\n\nA.\n\n</Hint>", 1, r"<Hint> belongs into an <Exercise>"),
    "a choice without a right option": (
        exercise('<Choice label="x">\n<Option>a</Option>\n<Option>b</Option>\n</Choice>'),
        3,
        r"<Choice> needs two options or more, and <Option right>",
    ),
    "a prediction of no figure": (
        exercise('<Predict figure="nope" set="bits=3" at="step.scale" label="x" />'),
        3,
        r"no figure here is called nope; there are none",
    ),
    "a prediction of no parameter": (
        f"{GOOD}\n\n" + exercise('<Predict figure="number_line" set="bitz=3" at="step.scale" label="x" />'),
        9,
        r"learning/number_line has no bitz; it has low, high",
    ),
    "a prediction beyond a parameter's range": (
        f"{GOOD}\n\n" + exercise('<Predict figure="number_line" set="bits=9" at="step.scale" label="x" />'),
        9,
        r"bits is a whole number from 2 to 8, not “9”",
    ),
    "a prediction of no field": (
        f"{GOOD}\n\n" + exercise('<Predict figure="number_line" set="bits=3" at="step.nope" label="x" />'),
        9,
        r'<Predict at="step.nope"/>: learning/number_line has no nope there',
    ),
    "a task that is not there": (
        exercise('<CodeTask task="learning/nope" />'),
        3,
        r"no task content/learning/tasks",
    ),
}
WHOLE = {
    "an exercise": f"{GOOD}\n\n"
    + exercise(
        f'It is {BLANK}.\n\n<Predict figure="number_line" set="bits=3" at="step.scale" label="x" />\n\n'
        "<Hint>\n\nA.\n\n</Hint>"
    )
    + "\n\n[it](#a)",
    "a figure": GOOD,
    "a named figure and a link to it": (
        '<Lab id="learning/number_line" label="A line" name="again" />\n\n[it](#again)'
    ),
    "links that lead somewhere": (
        "# A heading\n\n[a](/) [b](/learning/) [c](/learning/quantization/#sources) [d](#a-heading) "
        "[e](https://example.org/) [f](/labs/learning/number_line/) [g](#sources)"
    ),
    "a value and mathematics": 'Take $s$: <Value of="learning/number_line" at="step.scale" /> each.\n\n$$\n<a\n$$',
    "a source, a term and a note": (
        f'{SOURCES}\nIt has<Cite key="one2017" /> a <Gloss term="zero point">zero</Gloss>.\n\n'
        '<Aside title="More">\n\nA note.\n\n</Aside>'
    ),
    "words bound to a figure": (
        'The <Term of="scale">scale</Term> $\\of{scale}{s}$ <Step figure="again" n={6}>at step 6</Step> with '
        '<Set figure="again" bits={4} scheme="symmetric">four bits</Set>, or <Scrub figure="again" param="bits" />.'
        '\n\n<Lab id="learning/number_line" label="A line" name="again" />\n\n```python marks="s=scale"\ns = 1\n```'
    ),
    "a picture with words": "![a mark](/favicon.svg)",
}


@pytest.fixture(scope="module")
def said() -> dict[str, str | None]:
    """What the build says of every article of this module, by its name."""
    texts = {name: text for name, (text, _, _) in BROKEN.items()} | WHOLE
    articles = {f"content/learning/{name}.mdx": text for name, text in texts.items()}
    found: dict[str, str | None] = told("check_articles.mjs", articles)
    return {Path(path).stem: message for path, message in found.items()}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_article_is_refused_with_file_and_line(name: str, said: dict[str, str | None]) -> None:
    _, line, words = BROKEN[name]
    message = said[name]
    assert message is not None, "it was let through"
    assert re.match(rf"content/learning/{re.escape(name)}\.mdx:{line}:\d+: .*{words}", message), message


@pytest.mark.parametrize("name", WHOLE)
def test_an_article_that_is_whole_is_let_through(name: str, said: dict[str, str | None]) -> None:
    assert said[name] is None


def test_the_build_itself_stops_and_says_where(tmp_path: Path) -> None:
    """The check is a part of the build: one broken article in a copy of the tree, and `astro build` fails."""
    small_site.copy(tmp_path)
    article = tmp_path / "content" / "learning" / "99-broken.mdx"
    article.write_text(
        "---\ntitle: Broken\nsummary: It has a figure of a lab that is not there.\nsources: []\n---\n\n"
        'Text.\n\n<Lab id="learning/nope" label="Nothing" />\n',
        "utf-8",
    )
    done = subprocess.run(
        [BIN / "npm", "run", "--silent", "build"],
        cwd=tmp_path / "frontend",
        env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "ASTRO_TELEMETRY_DISABLED": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    output = done.stdout + done.stderr
    assert done.returncode != 0, "the build went through"
    assert "no lab is called learning/nope" in output
    assert re.search(r"99-broken\.mdx:9\b", output), output[-1500:]
