// Names what is measured as the comparison does. Run in frontend/; standard input is [one, other, axes].
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { text } from "node:stream/consumers";

const { ratios } = await import(
  pathToFileURL(join(process.cwd(), "src/lab/compare/timings.ts"))
);
process.stdout.write(
  JSON.stringify(ratios(...JSON.parse(await text(process.stdin)))),
);
