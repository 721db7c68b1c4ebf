/** The service worker: a page that was visited opens without a network, whole and of one build.
 *
 *  Only `keep` fills the cache of a build, with a page and everything it names, the page last. So a page that is there
 *  is complete, and never meets code, recordings or labs of another build. Online, pages and data come from the server;
 *  what carries a hash in its name comes from the cache. The API is never touched. */
/// <reference lib="webworker" />
import { clientsClaim } from "workbox-core";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { CacheFirst, NetworkOnly } from "workbox-strategies";
import type { Needs } from "../build/offline";

declare const self: ServiceWorkerGlobalScope;
declare const BUILD: string;
/** Pyodide's files, and a hash over them: their names stay when they change. */
declare const PYTHON: { hash: string; files: string[] };
/** What running a reader's own code takes beside Python. */
declare const OWN_CODE: string[];

/** What measuring the reader's device takes beside Python. */
declare const DEVICE: string[];

/** A page to keep, with the fonts that it turned out to use; or what has come to be used: Python, the device. */
export type Wish = { keep: string; fonts: string[] } | "python" | "device";

const OFFLINE = "/offline/";
const SITE = `site-${BUILD}`;
const INTERPRETER = `python-${PYTHON.hash}`;

async function get(path: string): Promise<Response> {
  const answer = await fetch(path);
  if (!answer.ok || answer.redirected) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}

async function fill(name: string, files: readonly string[]): Promise<void> {
  const cache = await caches.open(name);
  await Promise.all(files.map(async (file) => (await cache.match(file)) ?? cache.put(file, await get(file))));
}

async function keep(page: string, fonts: readonly string[] = []): Promise<void> {
  const site = await caches.open(SITE);
  if (await site.match(page)) return;
  const needs = (await (await get(`${page}offline.json`)).json()) as Needs;
  if (needs.build !== BUILD) return void (await self.registration.update()); // the worker of that build keeps it
  await fill(SITE, [...needs.files, ...fonts]);
  await site.put(page, await get(page));
}

const keepPython = () => Promise.all([fill(INTERPRETER, PYTHON.files), fill(SITE, OWN_CODE)]);

const sites = async () => (await caches.keys()).filter((name) => name.startsWith("site-") && name !== SITE);

/** Take over the pages of the build before, as they are now. Those that are gone are let go. */
async function inherit(): Promise<void> {
  const before = (await sites()).at(-1);
  if (!before) return;
  const kept = (await (await caches.open(before)).keys()).map((request) => new URL(request.url).pathname);
  const fonts = kept.filter((path) => path.endsWith(".woff2"));
  const pages = kept.filter((path) => path.endsWith("/"));
  const own = kept.includes("/sandbox.html") ? OWN_CODE : [];
  const device = kept.some((path) => path.endsWith(".wasm")) ? DEVICE : [];
  const files = [...fonts, ...own, ...device].map((file) => fill(SITE, [file]));
  await Promise.allSettled([...files, ...pages.map((page) => keep(page))]);
}

/** The build before stays for tabs that are still open: the server no longer has what they may ask for. */
async function tidy(): Promise<void> {
  const old = (await sites()).slice(0, -1);
  const python = (await caches.keys()).filter((name) => name.startsWith("python-") && name !== INTERPRETER);
  await Promise.all([...old, ...python].map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
}

async function kept({ url, mode }: Request): Promise<Response | undefined> {
  const site = await caches.open(SITE);
  const { pathname } = new URL(url);
  if (pathname === "/sandbox.html") return sealed(await site.match(pathname));
  const found = (await site.match(pathname)) ?? (await site.match(`${pathname}/`));
  return found ?? (mode === "navigate" ? site.match(OFFLINE) : undefined);
}

/** A frame that its page seals never asks a service worker, so this copy seals itself, and says so: runner/sandbox.ts. */
function sealed(copy: Response | undefined): Response | undefined {
  if (!copy) return undefined;
  const headers = new Headers(copy.headers);
  headers.set("Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'self'");
  headers.set("X-Sealed", "itself");
  return new Response(copy.body, { headers });
}

const fresh = new NetworkOnly({
  plugins: [
    {
      fetchDidSucceed: async ({ response }) => {
        if (response.status >= 502) throw new Error("the server is away"); // says a proxy before it
        return response;
      },
      handlerDidError: async ({ request }) => kept(request),
    },
  ],
});
const hashed = new CacheFirst({
  cacheName: SITE,
  plugins: [
    {
      cachedResponseWillBeUsed: async ({ cachedResponse, request }) =>
        cachedResponse ?? caches.match(request),
    },
  ],
});

registerRoute(new NavigationRoute(fresh, { denylist: [/^\/(api|embed)\//, /^\/metrics$/] }));
registerRoute(({ url, sameOrigin }) => sameOrigin && /^\/(_astro|labs\/packs)\//.test(url.pathname), hashed);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith("/pyodide/"),
  new CacheFirst({ cacheName: INTERPRETER }),
);
registerRoute(
  ({ url, sameOrigin, request }) =>
    sameOrigin && request.mode !== "navigate" && !/^\/(api|metrics|pagefind)\b/.test(url.pathname),
  fresh,
);

self.addEventListener("install", (event) =>
  event.waitUntil(
    keep(OFFLINE)
      .then(inherit)
      .then(() => self.skipWaiting()),
  ),
);
self.addEventListener("activate", (event) => event.waitUntil(tidy()));
self.addEventListener("message", (event: ExtendableMessageEvent) => {
  const wish = event.data as Wish;
  const done: Promise<unknown> =
    wish === "python" ? keepPython() : wish === "device" ? fill(SITE, DEVICE) : keep(wish.keep, wish.fonts);
  event.waitUntil(done.catch(() => undefined)); // the network went away; the next visit asks again
});
clientsClaim();
