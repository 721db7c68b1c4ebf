/** Writes the vocabulary of concepts and the places of series out as CSS: in a style sheet, `@concepts` becomes its colours and glyphs, and a
 *  rule whose selector holds `$concept` is repeated for each. A PostCSS plugin. */
import type { AtRule, Helpers, PluginCreator, Rule } from "postcss";
import concepts from "../kit/concepts.json" with { type: "json" };
import series from "../kit/series.json" with { type: "json" };

const COLOURS = { ...concepts, ...series };

const picture = (path: string) =>
  `url("data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='${path}'/></svg>`)}")`;

export const conceptCss: PluginCreator<void> = () => ({
  postcssPlugin: "concepts",
  AtRule: {
    concepts(at: AtRule, { Declaration }: Helpers) {
      for (const [id, { mark, ink, glyph }] of Object.entries(COLOURS)) {
        at.before(new Declaration({ prop: `--${id}`, value: `light-dark(${mark.join(", ")})` }));
        at.before(new Declaration({ prop: `--${id}-ink`, value: `light-dark(${ink.join(", ")})` }));
        at.before(new Declaration({ prop: `--${id}-glyph`, value: picture(glyph) }));
      }
      at.remove();
    },
  },
  Rule(rule: Rule) {
    if (!rule.selector.includes("$concept")) return;
    for (const id of Object.keys(COLOURS)) {
      const one = rule.clone({ selector: rule.selector.replaceAll("$concept", id) });
      one.walkDecls((declaration) => {
        declaration.value = declaration.value.replaceAll("$concept", id);
      });
      rule.before(one);
    }
    rule.remove();
  },
});
conceptCss.postcss = true;
