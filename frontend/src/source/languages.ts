/** How the editor reads a language. Whatever else a lab takes is shown as plain text. */
import { python } from "@codemirror/lang-python";
import { StreamLanguage, type StreamParser } from "@codemirror/language";
import type { Extension } from "@codemirror/state";

const WORDS =
  /^(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|bool|true|false|NULL)$/;

const c: StreamParser<{ comment: boolean }> = {
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment || stream.match("/*")) {
      state.comment = !stream.match(/^.*?\*\//);
      if (state.comment) stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.sol() && stream.match(/^\s*#.*/)) return "meta";
    if (stream.match(/^"(?:\\.|[^"\\])*"?/) || stream.match(/^'(?:\\.|[^'\\])*'?/)) return "string";
    if (stream.match(/^(?:0x[\da-f]+|\d+\.?\d*(?:e[-+]?\d+)?)[ulf]*/i)) return "number";
    if (stream.match(/^[A-Za-z_]\w*/)) return WORDS.test(stream.current()) ? "keyword" : "variableName";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
};

export function languageOf(name: string): Extension {
  if (name === "python") return python();
  return name === "c" ? StreamLanguage.define(c) : [];
}
