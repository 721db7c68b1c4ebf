// Multiplies by modules of wasm/kernels in V8, as the site does: reads jobs, writes each product beside its operands.
import { readFile, writeFile } from "node:fs/promises";
import {
  Worker,
  isMainThread,
  parentPort,
  workerData,
} from "node:worker_threads";

const STACK = 1 << 15;

async function start(path, memory) {
  const { instance } = await WebAssembly.instantiate(await readFile(path), {
    env: { memory },
  });
  return instance.exports;
}

function places(program, n) {
  const a = Math.ceil(program.__heap_base.value / 64) * 64;
  const size = Math.ceil((4 * n * n) / 64) * 64;
  return { a, b: a + size, c: a + 2 * size, end: a + 3 * size };
}

async function multiply({ module, version, n, rows, team, a, b, c }) {
  const pages = { initial: 1024, maximum: 1024, shared: true };
  const shared = team ? new WebAssembly.Memory(pages) : undefined;
  const program = await start(module, shared);
  const memory = shared ?? program.memory;
  const at = places(program, n);
  if (!shared)
    memory.grow(
      Math.max(0, Math.ceil((at.end - memory.buffer.byteLength) / 65536)),
    );
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(await readFile(a), at.a);
  bytes.set(await readFile(b), at.b);
  bytes.fill(0xff, at.c, at.c + 4 * n * n); // not a number
  const members = [];
  for (let me = 1; me < team; me++) {
    const workerData = { module, memory, version, n, rows, at, me, team };
    members.push(new Worker(new URL(import.meta.url), { workerData }));
  }
  await Promise.all(
    members.map(
      (member) => new Promise((here) => member.once("message", here)),
    ),
  );
  for (const member of members) member.postMessage("go");
  program.multiply(version, 2, n, rows, 0, at.a, at.b, at.c, 0, team || 1);
  await writeFile(c, bytes.slice(at.c, at.c + 4 * n * n));
  await Promise.all(members.map((member) => member.terminate()));
}

if (isMainThread) {
  for (const job of JSON.parse(await readFile(process.argv[2], "utf-8")))
    await multiply(job);
} else {
  const { module, memory, version, n, rows, at, me, team } = workerData;
  const program = await start(module, memory);
  program.__stack_pointer.value = at.end + me * STACK;
  parentPort.once("message", () =>
    program.multiply(version, 2, n, rows, 0, at.a, at.b, at.c, me, team),
  );
  parentPort.postMessage("here");
}
