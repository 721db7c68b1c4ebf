// Called by `python -m underhood.author.generate`: [{id, manifest, fields, schema}] in, {file name: text} out.
import { text } from "node:stream/consumers";
import { filesOf } from "../src/build/contract-types.ts";

process.stdout.write(JSON.stringify(await filesOf(JSON.parse(await text(process.stdin)))));
