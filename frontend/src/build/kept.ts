/** What a step of the build made before, used again for as long as nothing has changed of which it was made. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Gone with the libraries, whose versions matter, too. */
const FOLDER = join(process.cwd(), "node_modules", ".cache", "underhood");

interface Entry<T> {
  key: string;
  /** Hashes of the files that it was made of, as they were then. */
  files: Record<string, string>;
  made: T;
}

/** `slot` names the thing, `key` says what it is made of beside files; `make` tells those to `read`, as it gets to know
 *  them. What comes back has been JSON. */
export async function kept<T>(
  slot: string,
  key: string,
  make: (read: (file: string) => void) => Promise<T>,
): Promise<T> {
  const path = join(FOLDER, `${slot.replaceAll("/", ".")}.json`);
  if (existsSync(path)) {
    const before = JSON.parse(await readFile(path, "utf-8")) as Entry<T>;
    const same = () => Object.entries(before.files).every(([file, hash]) => ofFile(file) === hash);
    if (before.key === key && same()) return before.made;
  }
  const files: Record<string, string> = {};
  const made = await make((file) => (files[file] ??= ofFile(file)));
  await mkdir(FOLDER, { recursive: true });
  const part = `${path}.${process.pid}`;
  await writeFile(part, JSON.stringify({ key, files, made } satisfies Entry<T>));
  await rename(part, path);
  return made;
}

const ofFile = (file: string): string => (existsSync(file) ? hashOf(readFileSync(file)) : "");

export function hashOf(...data: (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const one of data) hash.update(one).update("\0");
  return hash.digest("base64url");
}
