/** What we use of a library whose own types are behind it. */
declare module "subset-font" {
  export default function subset(
    font: Buffer,
    letters: string,
    options: { targetFormat: "woff2"; noHinting: boolean },
  ): Promise<Buffer>;
}
