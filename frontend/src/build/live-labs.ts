/** Under `make dev`: what the backend says of the labs reaches src/generated and the open pages through this plugin.
 *  A lab whose contract changed reloads them, one that only computes something else runs again where it stands, and
 *  one that is broken lies over them, with file and line, until it is fixed. One that stops while it runs in a page
 *  says so in its figure, and the page tells the terminal. */
import {
  createReadStream,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { ErrorPayload, Plugin, ViteDevServer } from "vite";
import { filesOf, type Given } from "./contract-types.ts";
import { GENERATED } from "./manifests.ts";

/** Written whole by scripts/dev_backend.py, whenever it has tried a change. */
interface Told {
  versions: Record<string, string>;
  /** The labs whose source is another than before. */
  changed: Given[];
  problem: { message: string; file: string; line: number; where: string; frame: string } | null;
}

const SOURCE = /\/(wasm\/labs|backend\/native)\/.*\.py$/;

export function liveLabs(told: string): Plugin {
  let broken: ErrorPayload | undefined;

  async function hear(server: ViteDevServer): Promise<void> {
    const { versions, changed, problem } = JSON.parse(readFileSync(told, "utf-8")) as Told;
    const { client, ssr } = server.environments;
    if (problem) {
      const { message, file, line, where, frame } = problem;
      const loc = { file, line, column: 0 };
      broken = {
        type: "error",
        err: { message: `${where}: ${message}`, stack: "", id: where, frame, loc, plugin: "labs" },
      };
      client.hot.send(broken);
      return;
    }
    const written = Object.entries(await filesOf(changed)).filter(([name, text]) => write(name, text));
    const gone = globSync("*/*", { cwd: GENERATED }).filter((id) => !(id in versions));
    for (const id of gone) rmSync(join(GENERATED, id), { recursive: true });
    if (broken || written.length > 0 || gone.length > 0) {
      ssr.hot.send("astro:content-changed", {}); // else Astro remembers which labs have a page, and what they said
      client.hot.send({ type: "full-reload" });
    } else {
      const ids = changed.map((lab) => lab.id);
      client.hot.send("labs", ids);
    }
    broken = undefined;
  }

  return {
    name: "live-labs",
    configureServer(server) {
      let heard = Promise.resolve(); // one after another, so that what was saved last is written last
      const listen = () =>
        (heard = heard
          .then(() => hear(server))
          .catch((error: Error) => server.config.logger.error(error.message)));
      const watcher = watch(dirname(told), (_, name) => name === basename(told) && void listen());
      server.httpServer?.on("close", () => watcher.close());
      server.ws.on("connection", () => broken && server.ws.send(broken));
      server.ws.on("lab-fault", (words: string) => server.config.logger.error(words));
      nameInTerminal(server);
      servePacks(server);
      if (existsSync(told)) void listen();
    },
    hotUpdate({ file, modules, timestamp }) {
      if (!SOURCE.test(file)) return;
      for (const module of modules)
        this.environment.moduleGraph.invalidateModule(module, new Set(), timestamp, true);
      return [];
    },
  };
}

/** Whether the file says something new. */
function write(name: string, text: string): boolean {
  const path = join(GENERATED, name);
  const before = existsSync(path) ? readFileSync(path, "utf-8") : "";
  if (text === before) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return true;
}

/** Vite serves what lay in `public` when it began; the packs of labs that changed came later. */
function servePacks({ middlewares, config }: ViteDevServer): void {
  middlewares.use("/labs/packs", ({ url = "" }, response) => {
    createReadStream(join(config.publicDir, "labs", "packs", basename(url)))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
}

/** What lies over the page stands in the terminal, too, with its place, which Astro and Svelte leave out there. */
function nameInTerminal({ environments: { client }, config }: ViteDevServer): void {
  const send = client.hot.send.bind(client.hot) as (...said: unknown[]) => void;
  client.hot.send = (...said: unknown[]) => {
    const [payload] = said as [ErrorPayload | string];
    send(...said);
    if (typeof payload !== "object" || payload.type !== "error") return;
    const { loc, id, message } = payload.err;
    const file = loc?.file ?? id ?? "";
    if (SOURCE.test(file)) return; // the backend has said it
    const place = `${relative(join(config.root, ".."), file)}:${loc?.line ?? 1}:${loc?.column ?? 1}`;
    config.logger.error(`${place}: ${plain(message)}`);
  };
}

/** Astro writes its messages as HTML. */
const plain = (html: string) =>
  html
    .replace(/<\/?(code|a|b|strong|br)\b[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
