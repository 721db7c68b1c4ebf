/** What the fields of a lab's events mean, for its table to show when a reader opens it. */
import type { APIRoute } from "astro";
import { allLabs, meaningsOf } from "../../build/labs";

export const getStaticPaths = () => allLabs().map(({ id }) => ({ params: { lab: id } }));

export const GET: APIRoute = ({ params }) => Response.json(meaningsOf(params.lab!));
