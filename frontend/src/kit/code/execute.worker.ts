/** Runs one function of a WebAssembly module. Its owner ends this worker when it takes too long. */
/// <reference lib="webworker" />

export interface Call {
  module: Uint8Array;
  function: string;
  arguments: string[];
  /** The C types of the arguments. */
  parameters: string[];
}
export type Result = { value: string; ms: number } | { problem: string };

const LONG = /long/;
const FLOATING = /float|double/;
const argument = (text: string, type: string) =>
  LONG.test(type) ? BigInt(text) : FLOATING.test(type) ? Number(text) : Number(text) | 0;

self.onmessage = async ({ data }: MessageEvent<Call>) => {
  try {
    const { instance } = await WebAssembly.instantiate(data.module as BufferSource);
    const called = instance.exports[data.function] as (...given: unknown[]) => unknown;
    const given = data.arguments.map((text, index) => argument(text, data.parameters[index]!));
    const begun = performance.now();
    const value = called(...given);
    self.postMessage({
      value: value === undefined ? "" : String(value),
      ms: performance.now() - begun,
    } as Result);
  } catch (error) {
    self.postMessage({ problem: (error as Error).message } as Result);
  }
};
