// Our scales beside d3's. Run in frontend/; standard input is a list of {kind, low, high, values, count}.
import { scaleLinear, scaleLog, scaleSymlog } from "../../frontend/node_modules/d3-scale/dist/d3-scale.mjs";
import { counts, linear, logarithmic } from "../../frontend/src/kit/scale.ts";
import { speak } from "../../frontend/src/words/index.ts";
import { en } from "../../frontend/src/words/en/index.ts";
import { text } from "node:stream/consumers";

speak(() => ({ words: en, lang: "en", catalogue: {}, later: () => Promise.reject(new Error("not asked for")) }));
const kinds = {
  linear: [linear, scaleLinear()],
  counts: [(_, high) => counts(high), scaleSymlog().constant(2)],
  logarithmic: [logarithmic, scaleLog().clamp(true)],
};
const at = ({ kind, low, high, values, count }) => {
  const [ours, theirs] = kinds[kind];
  const scale = ours(low, high);
  theirs.domain([low, high]).range([0, 100]);
  return {
    ours: values.flatMap((value) => [scale.at(value), scale.value(theirs(value))]),
    theirs: values.flatMap((value) => [theirs(value), theirs.invert(theirs(value))]),
    ticks: scale.ticks(count).map(({ value, words }) => [value, words]),
    words: theirs.ticks(count).map((value) => [value, theirs.tickFormat(count)(value)]),
  };
};
console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(at)));
