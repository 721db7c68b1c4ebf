/** What each step of the build takes, printed when it is over: seconds, and seconds of the processor, which another
 *  program's work does not lengthen. */
import type { AstroIntegration } from "astro";
import type { Plugin } from "vite";

interface Step {
  name: string;
  wall: number;
  cpu: number;
}

const steps: Step[] = [];
/** Ends the step in which Astro writes the pages, which begins when the bundles are there. */
let pages: (() => void) | undefined;

/** Called where a step begins; returns what is to be called where it ends. */
function begin(name: string): () => void {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    steps.push({ name, wall: (performance.now() - wall) / 1e3, cpu: (user + system) / 1e6 });
  };
}

/** What the bundler makes of the sources, for the pages and for browsers. */
export function bundleSteps(): Plugin {
  const running = new Map<string, () => void>();
  return {
    name: "underhood:steps",
    apply: "build",
    sharedDuringBuild: true,
    buildStart() {
      running.set(this.environment.name, begin(`bundle: ${this.environment.name}`));
    },
    closeBundle() {
      running.get(this.environment.name)?.();
      running.delete(this.environment.name);
      if (this.environment.name === "client") pages = begin("pages");
    },
  };
}

/** The integrations, timed where they work on the built pages. */
export function timed(integrations: AstroIntegration[]): AstroIntegration[] {
  const whole = begin("all of it");
  const around: AstroIntegration = {
    name: "steps",
    hooks: {
      "astro:build:generated": () => pages?.(),
      "astro:build:done": ({ logger }) => {
        whole();
        for (const { name, wall, cpu } of steps)
          logger.info(
            `${name.padEnd(24)}${wall.toFixed(1).padStart(6)} s${cpu.toFixed(1).padStart(6)} s of the processor`,
          );
      },
    },
  };
  return [...integrations.map(measured), around];
}

function measured(one: AstroIntegration): AstroIntegration {
  const work = one.hooks["astro:build:done"];
  if (!work) return one;
  const done: typeof work = async (given) => {
    const end = begin(one.name);
    await work(given);
    end();
  };
  return { ...one, hooks: { ...one.hooks, "astro:build:done": done } };
}
