/** The nodes of an article as the checks see them: MDX adds some that the Markdown tree's own types do not know. */
export interface Attribute {
  type: string;
  name: string;
  /** Text, nothing, or an expression as it was written. */
  value?: string | null | { value: string };
}

export interface Node {
  type: string;
  name?: string;
  url?: string;
  alt?: string | null;
  value?: string;
  depth?: number;
  attributes?: Attribute[];
  children?: Node[];
}

export const attributeOf = (node: Node, name: string): Attribute | undefined =>
  node.attributes?.find((one) => one.name === name);

/** The value of an attribute that was written as text. */
export function textOf(node: Node, name: string): string | undefined {
  const value = attributeOf(node, name)?.value;
  return typeof value === "string" ? value : undefined;
}

/** Hand something to a component that only the whole article knows. */
export function give(node: Node, name: string, value: string): void {
  (node.attributes ??= []).push({ type: "mdxJsxAttribute", name, value });
}

/** Visit every node, with those that it stands in. */
export function walk(
  node: Node,
  see: (node: Node, parents: readonly Node[]) => void,
  parents: Node[] = [],
): void {
  see(node, parents);
  for (const child of node.children ?? []) walk(child, see, [...parents, node]);
}
