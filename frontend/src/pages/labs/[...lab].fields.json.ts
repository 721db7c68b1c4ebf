/** What a lab says of the fields of its events, for its tables to show when a reader opens them. */
import type { APIRoute } from "astro";
import { allLabs, fieldsOf } from "../../build/labs";

export const getStaticPaths = () => allLabs().map(({ id }) => ({ params: { lab: id } }));

export const GET: APIRoute = ({ params }) => Response.json(fieldsOf(params.lab!));
