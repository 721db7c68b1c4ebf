/** How long an article is: minutes to read its words, and how many of its figures run. */
const WORDS_A_MINUTE = 220;
const NOT_READ = [
  /^(import|export) .*$/gm,
  /^```[\s\S]*?^```/gm,
  /\$\$[\s\S]*?\$\$/g,
  /<(?!\/)[A-Z][^>]*\/?>/g, // a component's tag, with the words that stand in for a picture
  /<[^>]+>/g,
  /^\[\^[^\]]+\]:/gm,
];

export function lengthOf(text: string): [minutes: number, figures: number] {
  const words = NOT_READ.reduce((rest, pattern) => rest.replace(pattern, " "), text)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return [Math.max(1, Math.round(words / WORDS_A_MINUTE)), text.match(/<Lab\s/g)?.length ?? 0];
}
