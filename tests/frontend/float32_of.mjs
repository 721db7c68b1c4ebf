// The bits that fast_math's figure draws of results. Run in frontend/; standard input is JSON: a list of numbers as
// its events write them.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const { bitsOf } = await import(pathToFileURL(join(process.cwd(), "src/figures/tensors/fast_math/float32.ts")).href);

process.stdout.write(JSON.stringify(JSON.parse(await text(process.stdin)).map(bitsOf)));
