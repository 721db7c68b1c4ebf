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
    layer: z
      .string()
      .default("")
      .describe("of layers.json, where it stands; a translation stands where its original does"),
    after: z
      .array(z.number())
      .default([])
      .describe("the chapters of its series that it builds on, counted from 1"),
    elsewhere: z
      .record(z.string(), z.string())
      .default({})
      .describe("the layers of its labs that explain another"),
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
    hurry: z
      .object({ chapters: z.array(z.number()), why: z.string() })
      .optional()
      .describe("which of its chapters are enough, counted from 1"),
  }),
});

export const collections = { articles, series };
