/** The function that launches the kernel, and the kernel, line by line: where each check stands. */
import type { Event, Params } from "../../../generated/pytorch/cuda_extension/types";

type Check = Event["checks"][number];

export interface Line {
  text: string;
  check?: Check | undefined;
  /** Runs in the step that is shown. */
  runs: boolean;
  /** Not needed where there is little room. */
  spare?: boolean;
}

/** As `wasm/kernels/extension.cu` has it, around the line with the guard. */
const KERNELS: Record<Params["kernel"], { before: string[]; inside: string }> = {
  scale_shift: {
    before: ["int i = blockIdx.x * blockDim.x + threadIdx.x;"],
    inside: "y[i] = 2 * x[i] + 1;",
  },
  strided: {
    before: [
      "for (int from = 0; from < n; from += stride)",
      "int i = from + blockIdx.x * blockDim.x + threadIdx.x;",
    ],
    inside: "y[i] = 2 * x[i] + 1;",
  },
  row_sum: {
    before: ["for (int from = 0; from < n; from += blockDim.x)", "int i = from + t;"],
    inside: "sum += x[(int)blockIdx.x * n + i];",
  },
};

export function lines(event: Event, kernel: Params["kernel"]): Line[] {
  const { stage, checks } = event;
  const named = (name: string) => checks.find((check) => check.name === name);
  const stopped = checks.find(({ state }) => state === "stopped the call");
  const line = (text: string, runs = false, spare = true): Line => ({ text, runs, spare });
  const checked = (name: string, text: (code: string) => string, runs = false): Line[] => {
    const check = named(name);
    return check
      ? [{ text: text(check.code), check, runs: runs || (stage === "refused" && check === stopped) }]
      : [];
  };
  const inKernel = stage === "blocks";
  const { before, inside } = KERNELS[kernel];
  return [
    line(`Tensor launch_${kernel}(Tensor x)`),
    ...checked("order", (code) => `  x = ${code};`),
    ...checked("type", (code) => `  auto in = ${code};`),
    ...checked("grid", (code) => `  int blocks = ${code};`),
    ...checked("stream", (code) => `  auto stream = ${code};`),
    line(
      `  ${event.call.replace(">>>", ", 0, stream>>>").replace("x, y", "in, out")};`,
      stage === "launch",
      false,
    ),
    ...checked("launch", (code) => `  ${code};`, stage === "result"),
    line(`__global__ void ${kernel}(n, x, y)`),
    ...before.map((text) => line(`  ${text}`, inKernel)),
    ...checked("guard", (code) => `  ${code}`, inKernel),
    line(`    ${inside}`, inKernel),
  ];
}
