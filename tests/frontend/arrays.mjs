// Arrays as the page has them. Run in frontend/; standard input is [events as the worker hands them over, their bytes
// in hexadecimal].
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const { decode } = await import(pathToFileURL(join(process.cwd(), "src/runner/array.ts")).href);

const [events, hex] = JSON.parse(await text(process.stdin));
const bytes = Uint8Array.from(Buffer.from(hex, "hex")).buffer;
const plain = (_, value) => (ArrayBuffer.isView(value) ? [value.constructor.name, ...value] : value);
process.stdout.write(JSON.stringify(decode(JSON.parse(events), bytes), plain));
