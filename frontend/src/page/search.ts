/** The search dialog: a combobox over the index that the build made (build/search-index.ts). */

import synonyms from "../../../content/synonyms.json";
import { texts, tr } from "../words";
import { meets, otherwise, titled } from "./queries";

/** The articles that are still to be written, by series. */
const series = import.meta.glob<{ title: string; planned: string[] }>("../../../content/*/series.json", {
  eager: true,
  import: "default",
});

interface SubResult {
  title: string;
  url: string;
  excerpt: string;
}
interface Page {
  url: string;
  meta: { title: string };
  sub_results: SubResult[];
}
interface Pagefind {
  options(options: { excerptLength: number }): Promise<void>;
  search(words: string): Promise<{ results: { data(): Promise<Page> }[] }>;
}

const INDEX = "/pagefind/pagefind.js";
const PAGES = 8;
const PLACES = 3; // of each page
const PAUSE_MS = 120;

let index: Promise<Pagefind> | undefined;

function load(): Promise<Pagefind> {
  index ??= (import(/* @vite-ignore */ INDEX) as Promise<Pagefind>).then(async (found) => {
    await found.options({ excerptLength: 22 });
    return found;
  });
  index.catch(() => (index = undefined)); // the next try starts anew
  return index;
}

const { search: said } = texts().site;
const FAILED = import.meta.env.DEV ? said.unbuilt : said.failed;

/** The pages that have the words; the index offers others where it has nothing. */
async function pagesWith(words: string): Promise<Page[]> {
  const { results } = await (await load()).search(words);
  const pages = await Promise.all(results.slice(0, PAGES).map((result) => result.data()));
  return pages
    .map((page) => ({ ...page, sub_results: page.sub_results.filter(({ excerpt }) => has(excerpt, words)) }))
    .filter(({ sub_results }) => sub_results.length > 0)
    .sort((one, other) => Number(isLab(one)) - Number(isLab(other))); // what explains stands before what lists
}

const has = (excerpt: string, words: string) =>
  [...parsed(excerpt).querySelectorAll("mark")].some((mark) => meets(mark.textContent, words));

/** The same, in the words of the book if the reader's own find nothing. */
async function find(words: string): Promise<{ pages: Page[]; instead?: string }> {
  const pages = await pagesWith(words);
  if (pages.length > 0) return { pages };
  for (const instead of otherwise(words, synonyms)) {
    const others = await pagesWith(instead);
    if (others.length > 0) return { pages: others, instead };
  }
  return { pages };
}

/** Articles of that title that are only planned, at the series that will have them. */
function plannedFor(words: string): HTMLAnchorElement[] {
  return Object.entries(series).flatMap(([path, { title, planned }]) =>
    planned
      .filter((one) => titled(tr(one), words))
      .map((one) => result(`/${path.split("/").at(-2)}/#planned`, tr(one), [said.planned(tr(title))])),
  );
}

export function openSearch(dialog: HTMLDialogElement): void {
  if (dialog.open) return;
  if (!("awake" in dialog.dataset)) {
    dialog.dataset.awake = "";
    wake(dialog);
  }
  dialog.showModal();
  dialog.querySelector("input")!.select();
}

function wake(dialog: HTMLDialogElement): void {
  const input = dialog.querySelector("input")!;
  const list = dialog.querySelector<HTMLElement>("#found")!;
  const status = dialog.querySelector<HTMLElement>("[role=status]")!;
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("[role=option]")];
  const chosen = () => options().findIndex((option) => option.getAttribute("aria-selected") === "true");

  function choose(at: number) {
    options().forEach((option, place) => option.setAttribute("aria-selected", String(place === at)));
    const option = options()[at];
    input.setAttribute("aria-activedescendant", option?.id ?? "");
    option?.scrollIntoView({ block: "nearest" });
  }

  function show(found: HTMLAnchorElement[], words: string) {
    list.replaceChildren(...found);
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    status.textContent = words;
    choose(0);
  }

  async function search() {
    const mine = ++newest;
    const words = input.value.trim();
    if (!words) return show([], "");
    try {
      const { pages, instead } = await find(words);
      if (mine !== newest) return undefined; // something newer has been typed
      const places = pages.flatMap((page) =>
        page.sub_results.slice(0, PLACES).map((place) => optionFor(place, page.meta.title)),
      );
      const found = [...places, ...plannedFor(words)];
      found.forEach((option, at) => (option.id = `found-${at}`));
      const counted = places.length > 0 ? [said.count(places.length, pages.length, instead)] : [];
      const coming = found.length - places.length;
      if (coming > 0) counted.push(said.coming(coming));
      return show(found, counted.join(", ") || said.none(words));
    } catch (error) {
      console.warn(error);
      if (mine === newest) show([], FAILED);
      return undefined;
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(), PAUSE_MS);
  });
  input.addEventListener("keydown", (event) => {
    const last = options().length - 1;
    const to = {
      ArrowDown: () => (chosen() >= last ? 0 : chosen() + 1),
      ArrowUp: () => (chosen() <= 0 ? last : chosen() - 1),
    }[event.key];
    if (!to || last < 0) return;
    event.preventDefault();
    choose(to());
  });
  dialog.querySelector("form")!.addEventListener("submit", (event) => {
    event.preventDefault();
    options()[chosen()]?.click();
  });
  // A result on this page is no new page: the dialog would stay.
  list.addEventListener("click", (event) => (event.target as Element).closest("a") && dialog.close());
  list.addEventListener("pointermove", (event) => {
    const at = options().indexOf((event.target as Element).closest("a")!);
    if (at >= 0 && at !== chosen()) choose(at);
  });
  dialog.querySelector("[data-close]")!.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
}

/** Pagefind escapes the text and puts <mark> around what was found; parsed apart, nothing in it could run. */
const parsed = (excerpt: string) => new DOMParser().parseFromString(excerpt, "text/html").body;

const optionFor = ({ title, url, excerpt }: SubResult, page: string): HTMLAnchorElement =>
  result(url, title === page ? page : `${page} › ${title}`, parsed(excerpt).childNodes);

function result(url: string, title: string, words: Iterable<Node | string>): HTMLAnchorElement {
  const option = document.createElement("a");
  option.setAttribute("role", "option");
  option.tabIndex = -1;
  option.href = url;
  const head = document.createElement("b");
  head.textContent = title;
  const text = document.createElement("small");
  text.append(...words);
  option.append(head, text);
  return option;
}

const isLab = (page: Page): boolean => page.url.startsWith("/labs/");
