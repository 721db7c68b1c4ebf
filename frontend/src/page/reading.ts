/** An article while it is read: the current section in its contents, how far the reader came, links to sections. */
import { keepPlace, markRead, showMarks } from "./progress";

const SEEN_MS = 1500; // the end has to stay on screen for a moment: a jump past it is no reading

export function read(article: HTMLElement): void {
  const id = article.dataset.read!;
  const title = article.querySelector("h1")!.textContent!;
  const place = { article: id, page: location.pathname, title };
  showMarks();
  keepPlace(place);
  followSections(article, (hash, words) => keepPlace({ ...place, hash, words }));
  noticeEnd(article, () => {
    markRead(id);
    showMarks();
  });
  copyLinks(article);
}

function followSections(article: HTMLElement, moved: (hash: string, words: string) => void): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("[data-contents] a")];
  const headings = [...article.querySelectorAll<HTMLElement>(":is(h2, h3)[id]")].filter((heading) =>
    links.some((link) => link.hash === `#${heading.id}`),
  );
  let current: HTMLElement | undefined;

  function update() {
    const line = innerHeight * 0.3;
    const now = headings.findLast((heading) => heading.getBoundingClientRect().top < line);
    if (now === current) return;
    current = now;
    for (const link of links) {
      if (now && link.hash === `#${now.id}`) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
    if (now) moved(`#${now.id}`, now.textContent!.trim());
  }
  // Called only when a heading crosses the line or the edge of the screen, not at every pixel.
  const watch = new IntersectionObserver(update, { rootMargin: "0px 0px -70% 0px" });
  for (const heading of headings) watch.observe(heading);
  stepAside(article);
}

/** The contents stand in the margin that a wide figure needs: while one passes, they fade. */
function stepAside(article: HTMLElement): void {
  const rail = article.querySelector<HTMLElement>(".rail");
  const box = rail?.firstElementChild;
  if (!rail || !box) return;
  const over = new Set<Element>();
  let watch: IntersectionObserver | undefined;
  // Its height is told, not asked for: to ask would have the whole page laid out before its first picture.
  new ResizeObserver(([box]) => {
    watch?.disconnect();
    over.clear();
    const bottom = Math.max(0, innerHeight - box!.contentRect.height - 48);
    watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) over[isIntersecting ? "add" : "delete"](target);
        rail.toggleAttribute("data-behind", over.size > 0);
      },
      { rootMargin: `0px 0px -${bottom}px 0px` },
    );
    for (const wide of article.querySelectorAll(".lab figure, .wide")) watch.observe(wide);
  }).observe(box);
}

function noticeEnd(article: HTMLElement, seen: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = new IntersectionObserver((entries) => {
    clearTimeout(timer);
    if (entries.at(-1)!.isIntersecting)
      timer = setTimeout(() => {
        watch.disconnect();
        seen();
      }, SEEN_MS);
  });
  watch.observe(article.querySelector("[data-end]")!);
}

/** A click on a heading leads to it, as any link does, and copies the address as well. */
function copyLinks(article: HTMLElement): void {
  for (const link of article.querySelectorAll<HTMLAnchorElement>("a.anchor")) {
    link.addEventListener("click", () => {
      // Over plain http from another machine there is no clipboard; the address bar has the link in any case.
      void navigator.clipboard?.writeText(link.href).then(
        () => {
          link.dataset.copied = "";
          setTimeout(() => delete link.dataset.copied, 2000);
        },
        () => undefined,
      );
    });
  }
}
