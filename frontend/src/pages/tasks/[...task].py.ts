/** Every code task as it lies in content: the page fetches it when an answer is checked. */
import type { APIRoute } from "astro";
import { allTasks, taskOf } from "../../build/tasks";

export const getStaticPaths = () => allTasks().map((task) => ({ params: { task } }));

export const GET: APIRoute = async ({ params }) =>
  new Response((await taskOf(params.task!)).source, {
    headers: { "Content-Type": "text/x-python; charset=utf-8" },
  });
