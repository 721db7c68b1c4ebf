/** What a run says, in the language of the page. A run speaks English, numbers and all; a key of a catalogue is a
 *  pattern for it, whose `{}` stand for numbers and names. */

/** A number as Python writes it, signed or not, or a name. */
const PLACE = String.raw`((?:[-+] ?)?\w(?:[\w.,]*\w)?(?:e[-+]\d+)?)`;
const NUMBER = /^(?:[-+] ?)?\d/;

export type Say = (english: string) => string | undefined;

/** How to say what this catalogue has a pattern for; `written` writes an English number. */
export function sayer(catalogue: Record<string, string>, written: (english: string) => string): Say {
  const patterns = Object.entries(catalogue)
    .filter(([english]) => english.includes("{}"))
    .map(([english, other]) => ({ form: formOf(english), other }));
  return (english) => {
    if (english in catalogue) return catalogue[english];
    for (const { form, other } of patterns) {
      const values = form.exec(english)?.slice(1);
      if (values) return other.replaceAll("{}", () => valueOf(values.shift()!));
    }
    return undefined;
  };

  function valueOf(english: string): string {
    return NUMBER.test(english) ? written(english) : (catalogue[english] ?? english);
  }
}

const formOf = (english: string) => new RegExp(`^${english.split("{}").map(literally).join(PLACE)}$`);

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
