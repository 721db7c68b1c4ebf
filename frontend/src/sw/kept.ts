/** Lists, on the page that says the network is away, those pages that can be read without one. */
const section = document.querySelector<HTMLElement>("#kept")!;

async function list(): Promise<void> {
  for (const name of (await caches.keys()).filter((one) => one.startsWith("site-")).slice(-1)) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      if (!pathname.endsWith("/") || pathname === "/offline/") continue;
      const page = await (await cache.match(url))!.text();
      const html = page.replace(/<style[\s\S]*?<\/style>/g, ""); // this page's policy knows only its own
      const link = document.createElement("a");
      link.href = pathname;
      link.textContent = new DOMParser().parseFromString(html, "text/html").title.replace(" · Underhood", "");
      section.querySelector("ul")!.appendChild(document.createElement("li")).append(link);
      section.hidden = false;
    }
  }
}

if ("caches" in window) void list();
