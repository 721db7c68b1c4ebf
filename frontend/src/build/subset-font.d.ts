/** What we use of a library whose own types are behind it. */
declare module "subset-font" {
  export interface Options {
    targetFormat?: "woff2";
    noHinting?: boolean;
    keepFeatures?: string[];
    variationAxes?: Record<string, { min: number; max: number; default: number }>;
  }
  export default function subset(font: Buffer, letters: string, options: Options): Promise<Buffer>;
}
