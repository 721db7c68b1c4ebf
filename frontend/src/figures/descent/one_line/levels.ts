/** The levels from the top down, and the articles that explain them. */
export const LEVELS = [
  { name: "Python", href: "/bits/from-code-to-execution/", article: "From code to execution" },
  { name: "The call", href: "/pytorch/the-dispatcher/", article: "The dispatcher" },
  { name: "The tensor", href: "/tensors/strides-and-views/", article: "Strides and views" },
  { name: "The tape", href: "/tensors/a-tape/", article: "A tape" },
  {
    name: "The compiler",
    href: "/compilers/a-fusing-compiler-of-our-own/",
    article: "A fusing compiler of our own",
  },
  { name: "The kernel", href: "/speed/matrix-multiplication/", article: "Matrix multiplication" },
  {
    name: "Machine code",
    href: "/bits/from-code-to-execution/#code_to_bytes",
    article: "From code to execution",
  },
  { name: "The bits", href: "/bits/values-in-memory/", article: "Values in memory" },
  { name: "The clock", href: "/pytorch/why-look-inside/", article: "Why look inside" },
] as const;
