/** The code tasks of the articles: content/<series>/tasks/<name>.py. */
const sources = import.meta.glob<string>("../../../content/*/tasks/*.py", {
  query: "?raw",
  import: "default",
});

/** `series/name` of every task. */
export const allTasks = (): string[] =>
  Object.keys(sources).map((path) => path.replace(/^.*content\//, "").replace(/\/tasks\/(.*)\.py$/, "/$1"));

export async function taskOf(id: string): Promise<{ source: string; stub: string }> {
  const source = await sources[`../../../content/${id.replace("/", "/tasks/")}.py`]!();
  const stub = /^STUB = '''\n(.*?)'''$/ms.exec(source)?.[1];
  if (!stub) throw new Error(`the task ${id} has no STUB = '''…''' for the reader to start from`);
  return { source, stub };
}
