"""A finger hits what it is meant for: 40 px each way for controls of figures, 24 for whatever else stands alone."""

from visit import Visit

# The controls whose hit area is smaller than that, measured through its middle as the browser finds what is hit, so
# that what lies over it counts against it. Words within other words are as high as their line, and are let be.
SMALL = """async (host, leasts) => {
  await document.fonts.ready;
  const within = (each) => {
    if (each.closest("code")) return true;
    const line = each.closest("p, li, dd, td, div, figcaption") ?? each;
    return getComputedStyle(each).display === "inline" && line.innerText.trim() !== each.innerText.trim();
  };
  const hidden = (each) => !each.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    || each.matches(".skip:not(:focus)") || getComputedStyle(each).pointerEvents === "none";
  const least = (each) => each.closest("[data-lab] figure") ? leasts.figure : leasts.page;
  const hit = (each) => {
    each.scrollIntoView({ block: "center", inline: "center" });
    const box = (each.closest("label") ?? each).getClientRects()[0]; // of a link over several lines, the first
    const hits = (dx, dy) => {
      const found = document.elementFromPoint(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy);
      return found && (each.contains(found) || found.closest("label")?.control === each);
    };
    const reach = (dx, dy, most) => {
      let n = 0;
      const ahead = (stride) => n + stride <= most && hits(dx * (n + stride - 1), dy * (n + stride - 1));
      for (const stride of [8, 1]) while (ahead(stride)) n += stride;
      return n;
    };
    const side = (dx, dy) => {
      const forth = reach(dx, dy, least(each));
      return forth + reach(-dx, -dy, least(each) - forth);
    };
    return [side(1, 0), side(0, 1)];
  };
  return [...host.querySelectorAll("a[href], button, input, select, textarea, summary, [role=slider]")]
    .filter((each) => !hidden(each) && !within(each))
    .map((each) => [hit(each), each])
    .filter(([sides, each]) => Math.min(...sides) < least(each))
    .map(([[wide, high], each]) => `${wide} x ${high}: ${each.outerHTML.slice(0, 160)}`);
}"""
LEASTS = {"figure": 40, "page": 24}


def reachable(visit: Visit) -> list[str]:
    found: list[str] = visit.reader.page.locator("body").evaluate(SMALL, LEASTS)
    return found
