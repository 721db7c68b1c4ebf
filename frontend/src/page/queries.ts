/** What a reader's words may stand for, and whether something was found for them. */

/** What a term of the glossary is called elsewhere. */
export type Synonyms = Record<string, string[]>;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** British spellings, as what the book writes. */
const SPELLINGS: [RegExp, string][] = [
  [/is(ation|ations|e|ed|er|ers|es|ing)$/, "iz$1"],
  [/ys(e|ed|er|ers|es|ing)$/, "yz$1"],
  [/our(s|ed|ing|al)?$/, "or$1"],
  [/([aeiou])ll(ed|ing|er)$/, "$1l$2"],
  [/tre(s)?$/, "ter$1"],
];

function american(word: string): string {
  const [from, to] = SPELLINGS.find(([ending]) => ending.test(word)) ?? [];
  return from ? word.replace(from, to!) : word;
}

/** Other ways to ask for the same, to be tried in turn where the reader's own words find nothing. */
export function otherwise(text: string, synonyms: Synonyms): string[] {
  const asked = wordsOf(text);
  const spelled = asked.map(american);
  const named = Object.entries(synonyms).flatMap(([term, others]) =>
    others.some((other) => [asked, spelled].some((words) => words.join(" ") === wordsOf(other).join(" ")))
      ? [term]
      : [],
  );
  const plain = spelled.join(" ");
  return [...named, ...(plain === asked.join(" ") ? [] : [plain])];
}

/** So much of a word has to agree with one that was found: stems have other endings, but the index offers what begins
 *  with one letter of a word that it does not have. */
const STEM = 0.6;
const SHORT = 3;

/** Whether a word of the text is what was asked for. */
export function meets(found: string, text: string): boolean {
  return wordsOf(text).some((word) => {
    const needed = Math.min(word.length, Math.max(SHORT, Math.ceil(STEM * word.length)));
    return wordsOf(found).some((one) => one.startsWith(word.slice(0, needed)));
  });
}

/** Whether each word that was asked for begins a word of the title. */
export const titled = (title: string, text: string): boolean => {
  const asked = wordsOf(text);
  return asked.length > 0 && asked.every((word) => wordsOf(title).some((one) => one.startsWith(word)));
};
