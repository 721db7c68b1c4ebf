/** The Python source of a lab, found by its id in either package. */
const sources = import.meta.glob<string>(["../../../wasm/labs/*/*.py", "../../../backend/native/*/*.py"], {
  query: "?raw",
  import: "default",
});

export async function sourceOf(id: string): Promise<{ path: string; code: string }> {
  const path = Object.keys(sources).find(
    (one) => one.endsWith(`/labs/${id}.py`) || one.endsWith(`/native/${id}.py`),
  );
  if (!path) throw new Error(`the lab ${id} has no source file`);
  return { path: path.replace("../../../", ""), code: await sources[path]!() };
}
