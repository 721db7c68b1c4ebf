"""A page has what every page has: a title, one heading, its language, a strict policy; no id is used twice."""

from collections import Counter
from collections.abc import Iterator

from visit import Visit

FACTS = """() => ({
  title: document.title,
  headings: document.querySelectorAll("h1").length,
  lang: document.documentElement.lang,
  csp: document.querySelector('meta[http-equiv="content-security-policy" i]')?.content ?? "",
  ids: [...document.querySelectorAll("[id]")].map((one) => one.id),
  unnamed: [...document.querySelectorAll("img:not([alt])")].map((one) => one.outerHTML.slice(0, 160)),
})"""

OWN = ("'self'", "'none'", "'wasm-unsafe-eval'", "data:", "blob:")


def complete(visit: Visit) -> Iterator[str]:
    facts = visit.reader.page.evaluate(FACTS)
    if not facts["title"]:
        yield "it has no title"
    if facts["headings"] != 1:
        yield f"it has {facts['headings']} h1"
    if facts["lang"] != ("de" if visit.path.startswith("/de/") else "en"):
        yield f"its language is said to be {facts['lang']!r}"
    yield from (f"no words for {image}" for image in facts["unnamed"])
    yield from (f"the id {one} is used {count} times" for one, count in Counter(facts["ids"]).items() if count > 1)
    if "default-src 'self'" not in facts["csp"]:
        yield "its policy does not begin with default-src 'self'"
    yield from (f"its policy lets in {source} for {what}" for what, source in let_in(facts["csp"]))


def let_in(policy: str) -> Iterator[tuple[str, str]]:
    """What a policy allows beyond the site's own, each with its directive. Attributes may have styles of theirs."""
    for directive in filter(None, map(str.strip, policy.split(";"))):
        what, *sources = directive.split()
        own = {*OWN, *(["'unsafe-inline'"] if what == "style-src-attr" else [])}
        yield from ((what, source) for source in sources if source not in own and not source.startswith("'sha256-"))
