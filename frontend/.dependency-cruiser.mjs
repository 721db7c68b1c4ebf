// Who may import whom among the frontend's sources: a figure draws and nothing else, a runner runs and draws nothing.

// area -> the areas whose values it may import; one that is not listed may import all but figures by name
const VALUES = {
  words: ["words"],
  figures: ["kit", "generated", "words"],
  kit: ["kit", "generated", "words"],
  runner: ["runner", "device", "generated", "words"],
  device: ["device"],
  lab: ["lab", "runner", "source", "kit", "generated", "export", "words"],
  export: ["export", "runner", "words"], // what a run becomes outside the page
  source: ["source", "runner", "words"], // a lab as its reader changed it
  exercise: ["exercise", "lab", "runner", "source", "kit", "generated", "words"],
  generated: [],
};
// and the areas whose types it may import besides: types are gone when the page runs
const TYPES = {
  figures: ["lab"],
  kit: ["runner"],
  generated: ["runner", "words"],
  runner: ["sw"],
  source: ["lab"],
};
// and the libraries that it must not know
const LIBRARIES = {
  runner: ["svelte", "astro"],
  device: ["svelte", "astro"],
  export: ["svelte", "astro"],
  kit: ["astro"],
  figures: ["astro"],
};

const within = (...areas) => `^src/(${areas.join("|")})/`;

/** The files of an area, in sorts: their paths, and what those may import besides. */
function* sorts(area) {
  if (area === "figures") {
    yield [{ path: "^src/figures/[^/]+/[^/]+$" }];
    yield [{ path: "^src/figures/([^/]+)/([^/]+)/" }, "^src/figures/$1/$2/"]; // its own parts
  } else if (area === "lab" || area === "exercise") {
    yield [{ path: within(area), pathNot: "[.]astro" }];
    yield [{ path: `${within(area)}.*[.]astro` }, within("build")]; // which never leaves the build
  } else if (area === "device") {
    yield [{ path: within(area) }, "^([.][.]/)+wasm/kernels/|(^[.]|/device)/built/"]; // what it computes with lies beside the sources
  } else {
    yield [{ path: within(area) }];
  }
}

function* rules() {
  yield ["nobody names a figure", { path: "^src/", pathNot: within("figures") }, { path: within("figures") }];
  for (const [area, values] of Object.entries(VALUES)) {
    for (const [from, ...besides] of sorts(area)) {
      const beyond = (...areas) => ({
        path: "^(src/|[.])",
        pathNot: [within(...areas), "/node_modules/", ...besides],
      });
      const types = [...values, ...(TYPES[area] ?? [])];
      yield [
        `${area} takes values of ${values}`,
        from,
        { ...beyond(...values), dependencyTypesNot: ["type-only"] },
      ];
      yield [
        `${area} takes types of ${types}`,
        from,
        { ...beyond(...types), dependencyTypes: ["type-only"] },
      ];
    }
  }
  for (const [area, names] of Object.entries(LIBRARIES)) {
    yield [
      `${area} knows no ${names}`,
      { path: within(area) },
      { path: `(^|/node_modules/)(${names.join("|")})(/|$)` },
    ];
  }
}

export default {
  forbidden: [...rules()].map(([name, from, to]) => ({ name, severity: "error", from, to })),
  options: { tsPreCompilationDeps: true, doNotFollow: { path: "node_modules" } },
};
