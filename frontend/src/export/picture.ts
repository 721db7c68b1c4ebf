/** A piece of the page as a picture. Figures are HTML and SVG together, so the picture is an SVG that holds both. */
import { domToCanvas, domToForeignObjectSvg } from "modern-screenshot";
import { fontCss } from "./fonts";
import { later } from "../words";

const options = async () => ({ font: { cssText: await fontCss() }, features: { copyScrollbar: false } });

/** Draws a node, `scale` canvas pixels to a CSS pixel. */
export async function canvasOf(node: HTMLElement, scale: number): Promise<HTMLCanvasElement> {
  return domToCanvas(node, { ...(await options()), scale });
}

export async function png(node: HTMLElement): Promise<Blob> {
  const canvas = await canvasOf(node, 2);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error(later().panels.take.noPng))), "image/png"),
  );
}

/** An SVG file with its styles and fonts inside; `title` and `words` say what it shows. */
export async function svg(node: HTMLElement, title: string, words: string): Promise<Blob> {
  const made = await domToForeignObjectSvg(node, await options());
  made.setAttribute("role", "img");
  const say = (name: string, text: string) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    element.textContent = text;
    return element;
  };
  made.prepend(say("title", title), say("desc", words));
  return new Blob([new XMLSerializer().serializeToString(made)], { type: "image/svg+xml" });
}
