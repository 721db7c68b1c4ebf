// The bytes that the tape shows of numbers. Run in frontend/; standard input is JSON: for each type its numbers.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const { bytesOf } = await import(pathToFileURL(join(process.cwd(), "src/figures/tensors/autograd_tape/bytes.ts")).href);

const asked = Object.entries(JSON.parse(await text(process.stdin)));
const told = asked.map(([dtype, values]) => [dtype, values.map((value) => bytesOf(value, dtype).join(""))]);
process.stdout.write(JSON.stringify(Object.fromEntries(told)));
