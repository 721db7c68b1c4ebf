/** Products by the GPU, as far as the browser lends it. */
/// <reference types="@webgpu/types" />
import naive from "../../../wasm/kernels/matmul_naive.wgsl?raw";
import registers from "../../../wasm/kernels/matmul_registers.wgsl?raw";
import tiled from "../../../wasm/kernels/matmul_tiled.wgsl?raw";
import { Missing, type Operands, type Work } from "./work";

/** The programs, and the side of the square of C that one of their workgroups makes. */
const PROGRAMS = {
  naive: { code: naive, side: 16 },
  tiled: { code: tiled, side: 16 },
  registers: { code: registers, side: 64 },
};

interface Gpu {
  device: GPUDevice;
  name: string;
  /** Ends with an error when the GPU is taken away; otherwise never. */
  gone: Promise<never>;
}
let gpu: Promise<Gpu> | undefined;

async function open(): Promise<Gpu> {
  if (!("gpu" in navigator)) throw new Missing("this browser offers no WebGPU");
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new Missing("WebGPU finds no GPU on this device");
  const device = await adapter.requestDevice();
  const gone = device.lost.then(({ message }) => {
    gpu = undefined;
    throw new Missing(`the GPU was taken away: ${message || "the browser does not say why"}`);
  });
  gone.catch(() => undefined); // the call that waits for the GPU says so
  return { device, name: named(adapter.info), gone };
}

function known(): Promise<Gpu> {
  gpu ??= open();
  gpu.catch(() => (gpu = undefined));
  return gpu;
}

/** What the browser tells of it, which may be little; "" where there is none. */
export const graphics = (): Promise<string> =>
  known().then(
    ({ name }) => name,
    () => "",
  );

function named({ vendor, architecture, device, description }: GPUAdapterInfo): string {
  const name =
    description || [vendor, architecture, device].filter(Boolean).join(" ") || "a GPU without a name";
  return /swiftshader/i.test(`${name} ${architecture}`)
    ? "SwiftShader, a GPU that the processor emulates"
    : name;
}

/** Times are taken from the first command to the last result, as for the other ways: what WebGPU says of times within
 *  the GPU is no finer than 100 µs either. */
export async function webgpu(which: keyof typeof PROGRAMS, { n, rows, a, b }: Operands): Promise<Work> {
  const { device, gone } = await known();
  const { code, side } = PROGRAMS[which];
  device.pushErrorScope("validation");
  device.pushErrorScope("out-of-memory");
  const input = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  const bytes = 4 * rows * n;
  const sources = [a.subarray(0, rows * n), b].map((each) => {
    const made = device.createBuffer({ size: each.byteLength, usage: input });
    device.queue.writeBuffer(made, 0, each);
    return made;
  });
  const c = device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const size = device.createBuffer({ size: 8, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(size, 0, new Uint32Array([n, rows]));
  const compute = { module: device.createShaderModule({ code }), entryPoint: "main" };
  const pipeline = device.createComputePipeline({ layout: "auto", compute });
  const buffers = [...sources, c, size];
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const done = () => Promise.race([device.queue.onSubmittedWorkDone(), gone]);

  const work: Work = {
    run(rounds) {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      while (rounds--) pass.dispatchWorkgroups(Math.ceil(n / side), Math.ceil(rows / side));
      pass.end();
      device.queue.submit([encoder.finish()]);
      return done();
    },
    async product() {
      const copy = device.createBuffer({
        size: bytes,
        usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
      });
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(c, 0, copy, 0, bytes);
      device.queue.submit([encoder.finish()]);
      await Promise.race([copy.mapAsync(GPUMapMode.READ), gone]);
      const numbers = new Float32Array(copy.getMappedRange().slice(0));
      copy.destroy();
      return numbers;
    },
    close: () => buffers.forEach((buffer) => buffer.destroy()),
  };
  await work.run(1);
  const problem = (await device.popErrorScope()) ?? (await device.popErrorScope());
  if (!problem) return work;
  work.close();
  throw new Missing(`the GPU refused: ${problem.message.split("\n")[0]}`);
}
