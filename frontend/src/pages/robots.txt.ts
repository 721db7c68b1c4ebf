/** Where machines find the list of pages; runs of labs are not for them. */
import type { APIRoute } from "astro";

export const GET: APIRoute = ({ site }) =>
  new Response(`User-agent: *\nDisallow: /api/\n\nSitemap: ${new URL("/sitemap-index.xml", site)}\n`);
