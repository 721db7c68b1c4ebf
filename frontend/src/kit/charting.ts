/** What every chart by Plotly needs of the page: its colours, plain words, and a policy that lets no style in. */

export interface Colours {
  ink: string;
  soft: string;
  line: string;
  paper: string;
  raised: string;
  slots: string[];
}

const NAMES = {
  ink: "--ink",
  soft: "--ink-soft",
  line: "--line",
  paper: "--paper",
  raised: "--paper-raised",
};
export const SLOTS = 8;

/** The colours that a place of the page has now: a browser says what light-dark() came to only of a real colour. */
export function coloursOf(host: HTMLElement): Colours {
  const probe = host.ownerDocument.createElement("span");
  host.append(probe);
  const resolved = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const found = Object.fromEntries(Object.entries(NAMES).map(([key, name]) => [key, resolved(name)]));
  const slots = Array.from({ length: SLOTS }, (_, place) => resolved(`--series-${place + 1}`));
  probe.remove();
  return { ...(found as unknown as Omit<Colours, "slots">), slots };
}

/** Tells each change of the theme, by the system or by the reader. The result ends that. */
export function onTheme(look: () => void): () => void {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", look);
  const theme = new MutationObserver(look);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    scheme.removeEventListener("change", look);
    theme.disconnect();
  };
}

/** In the words of a chart some characters mean something: links, bold type. Here they are only written. */
export const plain = (words: string): string =>
  words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A style element that a script writes is not let in here. This tells Plotly that its rules are there: ours. */
export function styled(): void {
  const ID = "plotly.js-style-global";
  if (document.getElementById(ID)) return;
  const told = document.createElement("meta");
  told.id = ID;
  told.className = "no-inline-styles";
  document.head.append(told);
}
