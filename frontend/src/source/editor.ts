/** The editor. It stands in a shadow root, where its styles are a constructed sheet: the page's policy lets no style
 *  element in. */
import { indentWithTab } from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import {
  EditorState,
  Prec,
  StateEffect,
  StateField,
  type Range,
  type StateEffectType,
} from "@codemirror/state";
import { Decoration, EditorView, keymap, type DecorationSet } from "@codemirror/view";
import { basicSetup } from "codemirror";
import type { Fault } from "../runner/sandbox";
import { changes } from "./changes";
import { languageOf } from "./languages";
import { theme } from "./theme";

interface Options {
  code: string;
  language: string;
  /** What the lines are compared with, where there is something. */
  original?: string;
  name: string;
  editable: boolean;
  /** Lines that are too long go on below. */
  wrap: boolean;
  onchange(code: string): void;
  onrun(): void;
}

const faultAt = StateEffect.define<number | undefined>();
const stepAt = StateEffect.define<number | undefined>();

/** One line that is marked, until it is edited away. */
const marked = (by: StateEffectType<number | undefined>, name: string) =>
  StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marks, { changes, effects, state }) {
      for (const effect of effects)
        if (effect.is(by)) {
          if (effect.value === undefined) return Decoration.none;
          return Decoration.set(Decoration.line({ class: name }).range(state.doc.line(effect.value).from));
        }
      return marks.map(changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
const faultLine = marked(faultAt, "cm-fault");
const stepLine = marked(stepAt, "cm-step");

/** A bar beside each line that differs from the original. */
const changedLines = (original: string) => {
  const mark = (state: EditorState): DecorationSet => {
    const marks: Range<Decoration>[] = changes(original, state.doc.toString()).lines.map((line) =>
      Decoration.line({ class: "cm-changed" }).range(state.doc.line(line).from),
    );
    return Decoration.set(marks);
  };
  return StateField.define<DecorationSet>({
    create: mark,
    update: (marks, { docChanged, state }) => (docChanged ? mark(state) : marks),
    provide: (field) => EditorView.decorations.from(field),
  });
};

export class Editor {
  private readonly view: EditorView;

  constructor(host: HTMLElement, options: Options) {
    const { code, language, original, name, editable, wrap, onchange, onrun } = options;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const run = () => (onrun(), true);
    const changed = original === undefined ? undefined : changes(original, code).lines[0];
    const start = changed && code.split("\n", changed - 1).join("\n").length;
    this.view = new EditorView({
      doc: code,
      parent: root,
      root,
      // What was changed is what there is to read.
      ...(start !== undefined && { scrollTo: EditorView.scrollIntoView(start, { y: "center" }) }),
      extensions: [
        Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
        basicSetup,
        keymap.of([indentWithTab]),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        EditorState.readOnly.of(!editable),
        wrap ? EditorView.lineWrapping : [],
        EditorView.contentAttributes.of({ "aria-label": name, "aria-readonly": String(!editable) }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onchange(update.state.doc.toString());
        }),
        languageOf(language),
        lintGutter(),
        faultLine,
        stepLine,
        original === undefined ? [] : changedLines(original),
        theme,
      ],
    });
  }

  /** Replace the text, as one change that can be undone. */
  set(code: string): void {
    const { doc } = this.view.state;
    if (doc.toString() !== code) this.view.dispatch({ changes: { from: 0, to: doc.length, insert: code } });
  }

  /** Mark the line of a fault and bring it into view; without one, take the mark away. */
  mark(fault: Fault | undefined): void {
    const { state } = this.view;
    const line = fault?.line ? state.doc.line(Math.min(fault.line, state.doc.lines)) : undefined;
    const from = line && Math.min(line.from + indent(line.text, fault?.column), line.to);
    const found =
      line && fault ? [{ from: from!, to: line.to, severity: "error" as const, message: fault.message }] : [];
    this.view.dispatch(setDiagnostics(state, found));
    const effects: StateEffect<unknown>[] = [faultAt.of(line?.number)];
    if (line) effects.push(EditorView.scrollIntoView(line.from, { y: "nearest" }));
    this.view.dispatch({ effects });
  }

  /** Mark the line that a program is at. */
  step(line: number | undefined): void {
    const there = line && line <= this.view.state.doc.lines ? line : undefined;
    this.view.dispatch({ effects: stepAt.of(there) });
  }

  focus(): void {
    this.view.focus();
  }

  /** Put the cursor on a line. */
  goTo(number: number): void {
    const line = this.view.state.doc.line(Math.min(number, this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: line.from }, scrollIntoView: true });
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }
}

const indent = (text: string, column: number | null | undefined) =>
  column ? column - 1 : text.length - text.trimStart().length;
