// The boxes and the brackets that compilers/mlir_lowering draws for the loops and blocks of a stage.
import { jumps } from "../../frontend/src/figures/compilers/mlir_lowering/jumps.ts";
import { nests } from "../../frontend/src/figures/compilers/mlir_lowering/nests.ts";
import { text } from "node:stream/consumers";

const asked = JSON.parse(await text(process.stdin));
console.log(
  JSON.stringify(
    asked.map(({ loops, buffers }) => ({
      nests: nests(loops, buffers),
      jumps: jumps(loops),
    })),
  ),
);
