/** The levels from the top down, and the figures that explain them, in their articles. */
export const LEVELS = [
  { name: "Python", href: "/bits/from-code-to-execution/#bytecode_vm", article: "From code to execution" },
  { name: "The call", href: "/pytorch/the-dispatcher/#dispatch_key", article: "The dispatcher" },
  { name: "Memory", href: "/tensors/strides-and-views/#strides", article: "Strides and views" },
  { name: "The tape", href: "/tensors/a-tape/#autograd_tape", article: "A tape" },
  {
    name: "The compiler",
    href: "/compilers/a-fusing-compiler-of-our-own/#fusing_compiler",
    article: "A fusing compiler of our own",
  },
  { name: "The kernel", href: "/speed/matrix-multiplication/#cache_walk", article: "Matrix multiplication" },
  {
    name: "Machine code",
    href: "/bits/from-code-to-execution/#code_to_bytes",
    article: "From code to execution",
  },
  { name: "The bits", href: "/bits/values-in-memory/#float_bits", article: "Values in memory" },
  { name: "The clock", href: "/pytorch/why-look-inside/#dispatch_overhead", article: "Why look inside" },
] as const;
