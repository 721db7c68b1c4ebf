/** What the build writes into pages, and no script needs. */
import { counter } from "../plural.ts";

const counted = counter("en");

export const built = {
  skip: "Skip to the text",
  where: "Where you are",
  whole: "The whole book",
  series: "All series",
  glossary: "Glossary",
  motto:
    "Underhood. Every figure is a real computation: the code that made a picture is the code you can read.",
  theme: "Theme",
  languages: "This page in other languages",
  card: "A figure under the title of its article",
  article: {
    contents: "On this page",
    series: "In this series",
    sources: "Sources",
    take: "Take this article along",
    length: (minutes: number, figures: number) =>
      `${minutes} min${figures > 0 ? `, ${counted(figures, "live figure", "live figures")}` : ""}`,
    layer: "layer:",
    planned: (count: number) => `${count} planned:`,
    footnotes: "Footnotes",
    back: (number: string) => `Back to reference ${number}`,
  },
  neighbours: {
    name: "Before and after",
    before: "Before this",
    next: "Read on",
    last: "Last of what is written so far",
    coming: (series: string) => `What comes next in ${series}`,
  },
  notes: {
    aside: "A note in the margin",
    source: (number: string, title: string) => `Source ${number}: ${title}`,
    sources: "All sources",
    glossary: "In the glossary",
    back: (letter: string, source: number) =>
      `Back to citation ${letter ? `${letter} ` : ""}of source ${source}`,
  },
  search: {
    name: "Search",
    what: "Search the articles and labs",
    close: "Close",
    found: "Found",
  },
  home: {
    title: "Underhood: what happens below the Python API",
    description:
      "A living textbook: bits, machine code, servers, backpropagation, compilers, GPUs. Every figure is a real computation that you can rerun, scrub and share.",
    heading: "What happens below the Python API",
    lede: "A textbook whose figures run. Change this line or its numbers, and the levels below are computed again, down to the bits.",
    start: "Start reading",
    figure: "One line of Python and nine levels below it, with the path of one number through all of them",
    caption:
      "Type another line, turn a number with the arrow keys, or choose another element of the result. The keys j and k go down and up a level. The name of a level leads to the article that explains it.",
    more: { link: "The article", rest: "follows the number from level to level." },
    promises: [
      {
        what: "Every figure is a computation.",
        why: "No drawing is faked: the Python that made it is one click away, and runs again when you ask.",
      },
      {
        what: "Every number has an origin.",
        why: "No measured number is typed in. Each comes from a run that names its machine, its software and its date.",
      },
      {
        what: "Everything stays here.",
        why: "Pages load nothing from another host. What you have read is kept in this browser, and nowhere else.",
      },
    ],
    map: "The series",
    count: (articles: number) => counted(articles, "article", "articles"),
    layers: {
      heading: "The whole book, layer by layer",
      how: "Each article stands at the layer that it explains, from what is around a line of Python down to the machine. A number leads up to that level of the figure above. Point at a series, and its articles stand out.",
      figures: (count: number) => `Show all ${count} live figures`,
      visiting: (number: string) => `in ${number}`,
    },
    tick: "A tick marks an article that you have read to the end. Only this browser knows.",
    forget: "Forget what I have read",
  },
  translated: {
    title: "Underhood in English",
    description: "What of Underhood there is in English.",
    heading: "Underhood in English",
    lede: (count: number, of: number) =>
      `${count} of ${counted(of, "article", "articles")} can be read in English.`,
    others: "Not translated yet",
    marked: "Links to pages in another language are marked with it.",
  },
  list: { coming: "Still to come", planned: "Planned, and not written yet", others: "Other series" },
  chapters: {
    heading: "How the chapters hang together",
    how: "Each chapter stands at its layer, to the right of what it builds on.",
    after: (numbers: number[]) => `after ${numbers.join(" and ")}`,
    whole: "The whole book, layer by layer",
    hurry: "In a hurry:",
  },
  feed: "What happens below the Python API: a living textbook whose figures run.",
  terms: {
    description: "The terms of the book, in one or two sentences each.",
    lede: "The terms of the book, in a sentence or two each, and where they are explained.",
    used: "In",
  },
  missing: {
    title: "Not found",
    description: "There is no such page.",
    heading: "There is no page here",
    lede: "The address may be mistyped, or the page has moved. These are the doors that are open:",
    search: "Search the book",
    glossary: "The glossary",
    home: { link: "The home page", rest: "lists every article." },
  },
  offline: {
    title: "No network",
    description: "This page cannot be reached now.",
    heading: "The network is away",
    lede: "This page has not been opened in this browser before, so there is no copy of it here. Reload it when you are connected again.",
    kept: "Pages that you can read now",
  },
  bench: {
    name: "Bench",
    title: "Bench: machines measured against themselves and each other",
    description:
      "Pick kernels, sizes and a precision, measure them on this server, and compare with other machines and other days.",
    heading: "Bench",
    lede: "How fast does this machine multiply matrices, and how fast could it? Pick kernels, sizes, a precision and where to run; every result is compared with the peak of the machine, measured in the same run.",
    figure: "GFLOP/s over the size of the matrices, and the roofline of the machine",
    caption:
      "Each dot is one kernel with one size, checked against float64. A result above the measured peak is refused: the run ends with a message, the server’s log records it, and the result is not kept. Runs wait in line for the machine; the badge says how many are ahead.",
    anywhere: {
      heading: "Measure any machine",
      lede: "One file measures a machine that has neither this book nor a server: a laptop, a rented GPU. It is made of the source of the figure above and needs nothing but NumPy. PyTorch is measured where it is installed, and so is an NVIDIA GPU that PyTorch reaches. With clang or gcc it also compiles our own kernels, and measures what the processor can do at most.",
      script: "Download the script",
      notebook: "the same as a notebook",
      or: "or",
      writes:
        "It writes bench.json, which says where every number comes from. Bring the file here. It is checked against the schema of the figure’s data and against what a machine can do at all, shown beside the other runs, and kept in this browser only.",
    },
    together: {
      heading: "Several devices at once",
      lede: "The same sizes on every device that is here now. Each draws its line as it measures. The runs of the server join the list above.",
    },
    history: "Machines and days",
    kept: "The results of this server are kept for each machine, even after the runs themselves are deleted. Recorded runs stand beside them, and so do the results of your browser.",
    browser: "Your browser",
    measure: {
      link: "Measure your own device",
      rest: "and its result appears in the list above, in this browser only.",
    },
    noDevice: "There is no lab yet that measures your browser; its runs will appear in the list above.",
    gpu: "A GPU",
    noGpu:
      "No GPU has been recorded yet. Where there is one, this records it, with nothing installed but PyTorch, Triton and NumPy:",
    hasGpu: (machines: string[]) => `Recorded on ${machines.join("; ")}. It is in the list above.`,
    api: { before: "Programs read the same history at", after: "as JSON." },
  },
  gallery: {
    title: "Gallery",
    description: "Every figure in light and dark, wide and narrow, and still.",
    lede: "Every figure in light and dark, wide and narrow, and as it is for readers who want less motion. A figure that nobody looked at is not done.",
    views: (lab: string) => `${lab}, five views`,
    light: "light",
    dark: "dark",
    narrowLight: "narrow, light",
    narrowDark: "narrow, dark",
    still: "less motion",
    figures: "Figures",
  },
  lab: {
    word: "lab",
    parameters: "Parameters",
    name: "Name",
    takes: "Takes",
    default: "Default",
    meaning: "Meaning",
    places: { browser: "in your browser", cpu: "on the server", cuda: "on a CUDA worker" },
    runs: (places: string[]) => `Runs ${places.join(" and ")}. In a terminal:`,
    onDevice: "Runs in your browser and nowhere else, since it measures your own device.",
    source: "Source",
    version: "version",
    same: "the same file wherever it runs, and in the tests.",
  },
  value: (lab: string, date: string, machine: string) =>
    `From a run of ${lab} recorded on ${date}: ${machine}`,
  scrub: (name: string, figure: string) => `${name}, in the figure ${figure}`,
};

export type Built = typeof built;
