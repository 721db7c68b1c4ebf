/** The Python source of every lab, as it lies in its package, for the page to show when a reader asks for it. */
import type { APIRoute } from "astro";
import { allLabs } from "../../build/labs";
import { sourceOf } from "../../build/sources";

export const getStaticPaths = () => allLabs().map(({ id }) => ({ params: { lab: id } }));

export const GET: APIRoute = async ({ params }) =>
  new Response((await sourceOf(params.lab!)).code, {
    headers: { "Content-Type": "text/x-python; charset=utf-8" },
  });
