/** The fonts that the page shows, as a style sheet that needs no other file: a picture outside the page has none. */
import { later } from "../words";

const inlined = new Map<string, Promise<string>>();

/** Only faces that the browser has loaded: the others, of other alphabets, are not in the picture. */
export async function fontCss(): Promise<string> {
  const loaded = new Set([...document.fonts].filter(({ status }) => status === "loaded").map(identity));
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .filter(({ style }) => loaded.has(identity(described(style))));
  return (await Promise.all(rules.map(inline))).join("\n");
}

interface Face {
  family: string;
  style: string;
  weight: string;
  unicodeRange: string;
}

const described = (style: CSSStyleDeclaration): Face => ({
  family: style.getPropertyValue("font-family"),
  style: style.getPropertyValue("font-style"),
  weight: style.getPropertyValue("font-weight"),
  unicodeRange: style.getPropertyValue("unicode-range"),
});

const identity = ({ family, style, weight, unicodeRange }: Face) =>
  [family.replaceAll(/["']/g, ""), style, weight, unicodeRange.replaceAll(/\s/g, "").toUpperCase()].join("|");

async function inline(rule: CSSFontFaceRule): Promise<string> {
  const found = /url\("?([^")]+\.woff2)"?\)/.exec(rule.style.getPropertyValue("src"));
  if (!found) return "";
  const address = new URL(found[1]!, rule.parentStyleSheet?.href ?? document.baseURI).href;
  if (!inlined.has(address)) inlined.set(address, asDataUrl(address));
  const source = `src: url("${await inlined.get(address)!}") format("woff2");`;
  return rule.cssText.replace(/font-display:[^;]*;/, "").replace(/src:[^;]*;/, source);
}

async function asDataUrl(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(later().panels.take.noFont(answer.status));
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `data:font/woff2;base64,${btoa(text)}`;
}
