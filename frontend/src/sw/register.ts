/** Asks the service worker to keep this page, once nothing that the reader waits for is left to do. */
import { savingData, whenRead } from "../runner/idle";
import type { Wish } from "./worker";

async function register(): Promise<void> {
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  const fonts = loaded.filter((path) => path.endsWith(".woff2"));
  active?.postMessage({ keep: location.pathname, fonts } satisfies Wish);
}

// Over plain http from another machine there is no service worker; the book then needs its network.
if (import.meta.env.PROD && "serviceWorker" in navigator && !savingData()) {
  const later = () => whenRead(() => void register().catch(() => undefined));
  if (document.readyState === "complete") later();
  else addEventListener("load", later, { once: true });
}
