/** A link that carries runs: behind its #, which a browser does not send to any server. */
import { MOST_BYTES, Refused, type Run } from "./read";

const NAME = "measured=";
/** Must be what underhood/measure.py writes, too. */
const FORMAT = "deflate-raw";

export const fileOf = (runs: readonly Run[]): string =>
  `${JSON.stringify({ format: "underhood/bench/1", runs }, null, 1)}\n`;

/** The text of a file in a fragment; undefined if it carries none. Throws `Refused`. */
export async function carried(hash: string): Promise<string | undefined> {
  if (!hash.startsWith(`#${NAME}`)) return undefined;
  const packed = hash.slice(NAME.length + 1);
  if (packed.length > MOST_BYTES) throw new Refused("large", "", [MOST_BYTES / 1024]);
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (one) =>
      one.charCodeAt(0),
    );
    return await unpacked(bytes);
  } catch (error) {
    throw error instanceof Refused ? error : new Refused("link", "");
  }
}

/** A few bytes can unpack to gigabytes: it stops where a file would be too large. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(FORMAT)).getReader();
  const [text, decoder] = [[] as string[], new TextDecoder("utf-8", { fatal: true })];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text.join("") + decoder.decode();
    size += value.length;
    if (size > MOST_BYTES) {
      void reader.cancel();
      throw new Refused("large", "", [MOST_BYTES / 1024]);
    }
    text.push(decoder.decode(value, { stream: true }));
  }
}

export async function linkTo(runs: readonly Run[]): Promise<string> {
  const text = JSON.stringify({ format: "underhood/bench/1", runs });
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(FORMAT));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const packed = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${location.origin}${location.pathname}#${NAME}${packed}`;
}
