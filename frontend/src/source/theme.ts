/** How the editor looks: the book's own colours, of which the -ink ones have a contrast of 4.5:1 on paper. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "3px solid var(--link)", outlineOffset: "-3px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", maxHeight: "min(32rem, 65vh)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--ink-soft)", backgroundColor: "var(--paper)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "light-dark(#1b1c1e0a, #e9e7e20f)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "light-dark(#cfe4f5, #23405a)",
  },
  ".cm-selectionMatch": { backgroundColor: "light-dark(#e3eef7, #22384b)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "light-dark(#d3efe6, #1d4438)" },
  ".cm-changed": { boxShadow: "inset 3px 0 var(--code)" },
  ".cm-step": { backgroundColor: "light-dark(#e8f1f8, #1d2f3e)", boxShadow: "inset 3px 0 var(--link)" },
  ".cm-fault": { backgroundColor: "light-dark(#fbeadd, #42281a)" },
  ".cm-tooltip, .cm-panels": {
    color: "var(--ink)",
    backgroundColor: "var(--paper-raised)",
    borderColor: "var(--line-strong)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--paper)",
    backgroundColor: "var(--ink)",
  },
  ".cm-panels input, .cm-panels button": {
    minHeight: "2.5rem",
    color: "inherit",
    background: "var(--paper)",
  },
  ".cm-foldPlaceholder": { color: "var(--ink-soft)", backgroundColor: "transparent" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.self, tags.bool, tags.null], color: "var(--weight-ink)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-ink)" },
  { tag: tags.number, color: "var(--scale-ink)" },
  { tag: [tags.comment, tags.docString], color: "var(--ink-soft)", fontStyle: "italic" },
  {
    tag: [tags.definition(tags.className), tags.function(tags.definition(tags.variableName))],
    fontWeight: "600",
  },
  { tag: tags.meta, color: "var(--error-ink)" },
]);

export const theme = [look, syntaxHighlighting(colours)];
