import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { z } from "astro/zod";
import { idOf, nameOf } from "./build/names";

/** `content/<series>/<nn>-<slug>.mdx`: the number is the order and is stripped from the address. A translation has its
 *  language before `.mdx` and before its address. */
const articles = defineCollection({
  loader: glob({
    base: "../content",
    pattern: "*/[0-9][0-9]-*.mdx",
    generateId: ({ entry }) => idOf(nameOf(entry)),
  }),
  schema: z.object({
    title: z.string(),
    summary: z.string(),
    published: z.coerce.date().optional(),
    sources: z.array(z.object({ key: z.string(), title: z.string(), href: z.url() })).default([]),
  }),
});

/** `content/<series>/series.json`: what a series is about and which articles it will hold. */
const series = defineCollection({
  loader: glob({
    base: "../content",
    pattern: "*/series.json",
    generateId: ({ entry }) => entry.split("/")[0]!,
  }),
  schema: z.object({
    order: z.number(),
    title: z.string(),
    summary: z.string(),
    planned: z.array(z.string()).describe("titles of the articles that are not written yet, in order"),
  }),
});

/** `content/<series>/map.json`: for a long series, at which layer each chapter stands and what it builds on. */
const maps = defineCollection({
  loader: glob({
    base: "../content",
    pattern: "*/map.json",
    generateId: ({ entry }) => entry.split("/")[0]!,
  }),
  schema: z.object({
    layers: z.array(z.string()),
    chapters: z
      .array(z.object({ title: z.string(), layer: z.string(), after: z.array(z.number()) }))
      .describe("all chapters in order, written or planned; `after` counts them from 1"),
    hurry: z.object({ chapters: z.array(z.number()), why: z.string() }),
  }),
});

export const collections = { articles, series, maps };
