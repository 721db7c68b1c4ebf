/** What an event of a lab says: words, or a template with `{}` for each of the values that follow it. A value is a
 *  number as Python writes it, or a sentence again. In a template, braces of its own are doubled. */
export type Sentence = string | Filled;
interface Filled extends ReadonlyArray<Sentence> {
  readonly 0: string;
}

const NUMBER = /^(?:[-+] ?)?\d/;
const PLACE = /\{\}|\{\{|\}\}/g;

/** The sentence in English, as the lab said it. */
export const english = (sentence: Sentence): string =>
  typeof sentence === "string" ? sentence : fill(sentence[0], sentence.slice(1).map(english));

/** An event with its sentence as words. */
export const inEnglish = <E extends { text: Sentence }>(event: E): E => ({
  ...event,
  text: english(event.text),
});

/** About how many characters the sentence has. */
export const lengthOf = (sentence: Sentence): number =>
  typeof sentence === "string"
    ? sentence.length
    : sentence.reduce((sum: number, part) => sum + lengthOf(part), 0);

/** Whether what foreign code sent can be read as a sentence. */
export const isSentence = (sent: unknown): sent is Sentence =>
  typeof sent === "string" || (Array.isArray(sent) && typeof sent[0] === "string" && sent.every(isSentence));

/** The sentence in the language of a catalogue, which has a translation for each template, and for words where they
 *  have one; undefined where a template is not in it. `written` writes an English number. */
export function translated(
  sentence: Sentence,
  catalogue: Record<string, string>,
  written: (number: string) => string,
): string | undefined {
  if (typeof sentence === "string") return catalogue[sentence];
  const other = catalogue[sentence[0]];
  const filled = sentence.slice(1).map((value) => {
    if (typeof value !== "string") return translated(value, catalogue, written);
    return NUMBER.test(value) ? written(value) : (catalogue[value] ?? value);
  });
  return other === undefined || filled.includes(undefined) ? undefined : fill(other, filled as string[]);
}

function fill(template: string, values: string[]): string {
  let place = 0;
  return template.replace(PLACE, (found) => (found === "{}" ? (values[place++] ?? found) : found[0]!));
}
