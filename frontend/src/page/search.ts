/** The search dialog: a combobox over the index that the build made (build/search-index.ts). */

import { texts } from "../words";

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
      const { results } = await (await load()).search(words);
      const pages = await Promise.all(results.slice(0, PAGES).map((result) => result.data()));
      if (mine !== newest) return undefined; // something newer has been typed
      pages.sort((one, other) => Number(isLab(one)) - Number(isLab(other))); // what explains stands before what lists
      const found = pages.flatMap((page) =>
        page.sub_results.slice(0, PLACES).map((place) => optionFor(place, page.meta.title)),
      );
      found.forEach((option, at) => (option.id = `found-${at}`));
      return show(found, found.length === 0 ? said.none(words) : said.count(found.length, pages.length));
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

function optionFor({ title, url, excerpt }: SubResult, page: string): HTMLAnchorElement {
  const option = document.createElement("a");
  option.setAttribute("role", "option");
  option.tabIndex = -1;
  option.href = url;
  const head = document.createElement("b");
  head.textContent = title === page ? page : `${page} › ${title}`;
  const text = document.createElement("small");
  // Pagefind escapes the text and puts <mark> around what was found; parsed apart, nothing in it could run.
  text.append(...new DOMParser().parseFromString(excerpt, "text/html").body.childNodes);
  option.append(head, text);
  return option;
}

const isLab = (page: Page): boolean => page.url.startsWith("/labs/");
