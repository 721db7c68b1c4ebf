/** Changed code in a link: the version that it was changed from, and the code, deflated. It travels behind the `#`,
 *  which browsers do not send to any server. */
import { later } from "../words";

export interface Parcel {
  version: string;
  code: string;
}

/** Many programs cut longer addresses. */
export const LINK_CHARS = 16_000;
/** A small link could unfold into a large text. */
const CODE_BYTES = 200_000;

export async function wrap({ version, code }: Parcel): Promise<string> {
  const packed = new Blob([code]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${version}.${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Throws, in words for the reader, on what `wrap` did not make. */
export async function unwrap(text: string): Promise<Parcel> {
  const [, version, packed] = /^([0-9a-f]{1,64})\.([\w-]+)$/.exec(text) ?? [];
  if (!version || !packed || text.length > LINK_CHARS) throw new Error(later().source.damaged);
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const reader = stream.getReader();
    let [code, size] = ["", 0];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > CODE_BYTES) throw new Error("too large");
      code += decoder.decode(part.value, { stream: true });
    }
    return { version, code: code + decoder.decode() };
  } catch {
    throw new Error(later().source.damaged);
  }
}
