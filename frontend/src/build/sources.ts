/** The Python source of a lab, found by its id in either package. */
const sources = import.meta.glob<string>(
  [
    "../../../wasm/labs/*/*.py",
    "../../../wasm/labs/*/*/__init__.py",
    "../../../backend/native/*/*.py",
    "../../../backend/native/*/*/__init__.py",
  ],
  { query: "?raw", import: "default" },
);

const beside = import.meta.glob<string>(
  ["../../../wasm/kernels/*.cu", "../../../backend/native/models/*_kernels.py"],
  {
    query: "?raw",
    import: "default",
  },
);

/** Kernels that a lab's source names by their path, such as `wasm/kernels/matmul.cu`, in the order of their names. */
export async function kernelsOf(
  id: string,
): Promise<{ path: string; code: string; lang: "cpp" | "python" }[]> {
  const { code } = await sourceOf(id);
  const named = Object.keys(beside).filter((path) => code.includes(path.replace("../../../", "")));
  return Promise.all(
    named.map(async (path) => ({
      path: path.replace("../../../", ""),
      code: await beside[path]!(),
      lang: path.endsWith(".py") ? ("python" as const) : ("cpp" as const),
    })),
  );
}

export async function sourceOf(id: string): Promise<{ path: string; code: string }> {
  const files = ["labs", "native"].flatMap((tree) => [`/${tree}/${id}.py`, `/${tree}/${id}/__init__.py`]);
  const path = Object.keys(sources).find((one) => files.some((file) => one.endsWith(file)));
  if (!path) throw new Error(`the lab ${id} has no source file`);
  return { path: path.replace("../../../", ""), code: await sources[path]!() };
}
