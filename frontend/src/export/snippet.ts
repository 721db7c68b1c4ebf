/** What somebody else's page needs to show this figure, and the address that opens it there. */
import type { Params } from "../runner/types";

/** What an embedded figure can leave out. */
export const PARTS = ["controls", "timeline", "panels", "title"] as const;
export type Part = (typeof PARTS)[number];

export interface Wish {
  lab: string;
  label: string;
  params: Params;
  /** Counted from 1. */
  step: number;
  hide: readonly Part[];
  /** Parameters that cannot be changed there. */
  fix: readonly string[];
}

export function address({ lab, params, step, hide, fix }: Wish): string {
  const url = new URL(`/embed/${lab}/`, location.origin);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value));
  url.searchParams.set("step", String(step));
  if (fix.length > 0) url.searchParams.set("fix", fix.join(","));
  if (hide.length > 0) url.searchParams.set("hide", hide.join(","));
  return url.href.replaceAll("%2C", ",");
}

const escape = (words: string) =>
  words.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** The frame, and four lines that give it the height which the figure says it has. */
export function snippet(wish: Wish, height: number): string {
  return `<iframe src="${escape(address(wish))}" title="${escape(wish.label)}"
  width="100%" height="${height}" style="border: 0" loading="lazy" allow="clipboard-write; fullscreen"></iframe>
<script>
  addEventListener("message", ({ data, source }) => {
    if (data?.type !== "underhood:height") return;
    for (const frame of document.querySelectorAll("iframe"))
      if (frame.contentWindow === source) frame.height = data.height;
  });
</script>`;
}
