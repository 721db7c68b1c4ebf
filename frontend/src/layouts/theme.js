// Runs before the first paint, so that a chosen theme never flashes the other one, nor a figure another run than the
// one that the address asks for: it stays faint until that is there (lab/Figure.svelte).
{
  const [, place, , alone] = location.pathname.split("/");
  const about = [...new URLSearchParams(location.search).keys()];
  const own = (name) => !["hide", "theme", "motion"].includes(name);
  const keys =
    place === "embed" ? (about.some(own) ? [alone] : []) : about.filter((name) => name.includes("."));
  if (keys.length > 0 && "adoptedStyleSheets" in document) {
    const faint = new CSSStyleSheet();
    const figures = new Set(
      keys.map((name) => `#${CSS.escape(name.split(".")[0])}:not([data-settled]) .stage`),
    );
    faint.replaceSync(`${[...figures].join()} { opacity: 0.12; }`);
    document.adoptedStyleSheets.push(faint);
  }
}
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be switched off; the system's theme serves.
}
