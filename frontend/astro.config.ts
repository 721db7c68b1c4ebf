import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { rehypeHeadingIds, unified } from "@astrojs/markdown-remark";
import mdx from "@astrojs/mdx";
import sitemap from "@astrojs/sitemap";
import svelte from "@astrojs/svelte";
import { defineConfig } from "astro/config";
import remarkMath from "remark-math";
import type { Plugin } from "vite";
import { checkArticle } from "./src/build/check-article.ts";
import { checkTranslation } from "./src/build/check-translation.ts";
import { checkNotes } from "./src/build/check-notes.ts";
import { checkExercise } from "./src/build/check-exercise.ts";
import { collectChunks } from "./src/build/chunks.ts";
import { copies } from "./src/build/copies.ts";
import { translated } from "./src/build/translated.ts";
import { cutFonts } from "./src/build/cut-fonts.ts";
import { frameTables, linkHeadings } from "./src/build/headings.ts";
import { maths } from "./src/build/maths.ts";
import { offline } from "./src/build/offline.ts";
import { pageStyles } from "./src/build/page-styles.ts";
import { patientScripts } from "./src/build/patient-scripts.ts";
import { searchIndex } from "./src/build/search-index.ts";
import { bundleSteps, timed } from "./src/build/steps.ts";
import { conceptCode } from "./src/build/concept-code.ts";
import { conceptCss } from "./src/build/concept-css.ts";
import { wholeSeries } from "./src/build/whole.ts";
import { FIRST, LANGUAGES } from "./src/words/languages.ts";

/** Threads in the browser (SharedArrayBuffer) need these; the server sends the same ones. */
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** A font that comes late must not move the page: a text then keeps its fallback until the next page is opened. */
const still = {
  postcssPlugin: "still",
  Declaration: {
    "font-display": (rule: { value: string }) => {
      if (rule.value === "swap") rule.value = "optional"; // formulas ("block") have no fallback that would do
    },
  },
};

/** A phone waits longer for ten small scripts than for one: what several scripts of a page share is in two. What
 *  runs labs and a reader's code is left out: it comes when it is asked for. */
const groups = [
  { name: "svelte", test: /node_modules\/(svelte|esm-env|clsx)\/|rolldown\/runtime|vite\/preload-helper/ },
  {
    name: "shared",
    test: /\/src\/(lab|page|runner|words)\/(?!browser|packs|provenance|sandbox)[^/]+\.ts$/,
    minShareCount: 2,
  },
];

/** Every page would carry a list of what every figure imports; a figure asks for its parts once it is there. */
const lazy: Plugin = {
  name: "lazy",
  configEnvironment: (name) => (name === "client" ? { build: { modulePreload: false } } : undefined),
};

/** Where `make dev` says what has become of the labs. */
const told = process.env.UNDERHOOD_TOLD;
const live = told ? [(await import("./src/build/live-labs.ts")).liveLabs(told)] : [];
const theme = createHash("sha256").update(readFileSync("src/layouts/theme.js")).digest("base64");

/** Pages that nobody looks for: what stands in frames, lists for ourselves, what a service worker shows. */
const unlisted = /\/(embed\/.*|gallery|offline)\/$/;

export default defineConfig({
  // Feeds and cards need whole addresses; only its builder knows where the book will be served.
  site: process.env.UNDERHOOD_ORIGIN || "http://127.0.0.1:8000",
  redirects: wholeSeries(),
  i18n: { locales: [...LANGUAGES], defaultLocale: FIRST },
  integrations: timed([
    svelte(),
    mdx({ optimize: true }),
    sitemap({
      filter: (page) => !unlisted.test(page),
      i18n: { defaultLocale: FIRST, locales: Object.fromEntries(LANGUAGES.map((one) => [one, one])) },
    }),
    searchIndex(),
    cutFonts(),
    copies(),
    pageStyles(),
    patientScripts(),
    offline(),
  ]),
  // In development "always" would answer /api/… with 404 before the proxy sees it.
  trailingSlash: process.argv.includes("dev") ? "ignore" : "always",
  // A phone waits longer for ten small stylesheets than for their text in the page.
  build: { inlineStylesheets: "always" },
  server: { headers: isolation },
  devToolbar: { enabled: false },
  markdown: {
    processor: unified({
      remarkPlugins: [remarkMath, checkTranslation, checkArticle, checkNotes, checkExercise],
      rehypePlugins: [rehypeHeadingIds, linkHeadings, frameTables, translated, maths],
    }),
    shikiConfig: {
      themes: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
      defaultColor: "light-dark()",
      transformers: [conceptCode],
    },
  },
  security: {
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ],
      scriptDirective: { resources: ["'self'", "'wasm-unsafe-eval'"], hashes: [`sha256-${theme}`] },
      // Attributes only: Shiki, formulas and the figures place things with style="…"; no other style element is let in.
      styleDirective: { resources: ["'self'", { resource: "'unsafe-inline'", kind: "attribute" }] },
    },
  },
  vite: {
    plugins: [...live, lazy, collectChunks, bundleSteps()],
    worker: { format: "es" },
    // Plotly asks for these rules even where it draws no map.
    resolve: {
      alias: {
        "maplibre-gl/dist/maplibre-gl.css": new URL("./src/kit/surface/no-maps.css", import.meta.url)
          .pathname,
      },
    },
    css: { postcss: { plugins: [conceptCss, still] } },
    build: { assetsInlineLimit: 0 },
    environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
    server: {
      // What breaks in the page of an author is said in the terminal, with its place in the source.
      forwardConsole: { unhandledErrors: true, logLevels: ["error"] },
      proxy: {
        "/api": { target: process.env.UNDERHOOD_BACKEND ?? "http://127.0.0.1:8000", changeOrigin: false },
      },
      fs: { allow: [".."] },
    },
  },
});
