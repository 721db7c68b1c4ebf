/** Was beim Bauen in die Seiten kommt und kein Skript braucht. */
import type { Built } from "../en/built.ts";
import { counter } from "../plural.ts";

const counted = counter("de");

export const built: Built = {
  skip: "Zum Text springen",
  where: "Standort",
  whole: "Das ganze Buch",
  series: "Alle Reihen",
  glossary: "Glossar",
  motto:
    "Underhood. Jede Abbildung ist eine echte Rechnung: Der Code, der ein Bild gemacht hat, ist der Code zum Nachlesen.",
  theme: "Farben",
  languages: "Diese Seite in anderen Sprachen",
  card: "Eine Abbildung unter dem Titel ihres Artikels",
  article: {
    contents: "Auf dieser Seite",
    series: "In dieser Reihe",
    sources: "Quellen",
    take: "Diesen Artikel mitnehmen",
    length: (minutes, figures) =>
      `${minutes} Min.${figures > 0 ? `, ${counted(figures, "lebende Abbildung", "lebende Abbildungen")}` : ""}`,
    layer: "Schicht:",
    planned: (count) => `${count} geplant:`,
    footnotes: "Fußnoten",
    back: (number) => `Zurück zur Textstelle ${number}`,
  },
  neighbours: {
    name: "Davor und danach",
    before: "Davor",
    next: "Weiterlesen",
    last: "Das Letzte, was bisher geschrieben ist",
    coming: (series) => `Was in „${series}“ als Nächstes kommt`,
  },
  notes: {
    aside: "Eine Randbemerkung",
    source: (number, title) => `Quelle ${number}: ${title}`,
    sources: "Alle Quellen",
    glossary: "Im Glossar",
    back: (letter, source) => `Zurück zur Textstelle ${letter ? `${letter} ` : ""}von Quelle ${source}`,
  },
  search: {
    name: "Suche",
    what: "Artikel durchsuchen",
    close: "Schließen",
    found: "Gefunden",
  },
  home: {
    title: "Underhood: was unter der Python-API geschieht",
    description:
      "Ein lebendes Lehrbuch: Bits, Maschinencode, Server, Backpropagation, Compiler, GPUs. Jede Abbildung ist eine echte Rechnung zum Wiederholen, Durchblättern und Weitergeben.",
    heading: "Was unter der Python-API geschieht",
    lede: "Ein Lehrbuch, dessen Abbildungen laufen. Wer diese Zeile oder ihre Zahlen ändert, sieht die Ebenen darunter neu gerechnet, bis hinab zu den Bits.",
    start: "Anfangen zu lesen",
    figure: "Eine Zeile Python und neun Ebenen darunter, mit dem Weg einer Zahl durch alle",
    caption:
      "Eine andere Zeile, eine Zahl, die mit den Pfeiltasten steigt und fällt, ein anderes Element des Ergebnisses: alles darunter folgt. Mit den Tasten j und k geht es eine Ebene hinab und hinauf. Der Name einer Ebene führt zum Artikel, der sie erklärt.",
    more: { link: "Der Artikel", rest: "folgt der Zahl von Ebene zu Ebene." },
    promises: [
      {
        what: "Jede Abbildung ist eine Rechnung.",
        why: "Nichts ist nur gezeichnet: Das Python dahinter ist einen Klick entfernt und läuft auf Wunsch noch einmal.",
      },
      {
        what: "Jede Zahl hat eine Herkunft.",
        why: "Keine ist eingetippt. Jede stammt aus einem Lauf, der sagt, auf welcher Maschine, mit welcher Software und wann.",
      },
      {
        what: "Alles bleibt hier.",
        why: "Keine Seite lädt etwas von anderswo. Was gelesen wurde, merkt sich dieser Browser und sonst niemand.",
      },
    ],
    map: "Die Reihen",
    count: (articles) => counted(articles, "Artikel", "Artikel"),
    layers: {
      heading: "Das ganze Buch, Schicht um Schicht",
      how: "Jeder Artikel steht auf der Schicht, die er erklärt, von dem, was um eine Zeile Python herum ist, bis hinab zur Maschine. Eine Nummer führt zu dieser Ebene der Abbildung oben. Wer auf eine Reihe zeigt, sieht ihre Artikel hervortreten.",
      figures: (count) => `Alle ${count} lebenden Abbildungen zeigen`,
      visiting: (number) => `in ${number}`,
    },
    tick: "Ein Häkchen zeigt, was bis zum Ende gelesen ist. Das weiß nur dieser Browser.",
    forget: "Vergessen, was ich gelesen habe",
  },
  translated: {
    title: "Underhood auf Deutsch",
    description: "Was es von Underhood auf Deutsch gibt.",
    heading: "Underhood auf Deutsch",
    lede: (count, of) =>
      `${count} von ${counted(of, "Artikel", "Artikeln")} ${count === 1 ? "ist" : "sind"} übersetzt, mit Abbildungen und Übungen. Alles andere ist Englisch: die übrigen Artikel, die Seiten der Labs, das Glossar und der Vergleich der Maschinen.`,
    others: "Noch nicht übersetzt",
    marked: "Links zu Seiten in einer anderen Sprache tragen ein Zeichen dafür, hier (en).",
  },
  list: { coming: "Was noch kommt", planned: "Geplant und noch nicht geschrieben", others: "Andere Reihen" },
  chapters: {
    heading: "Wie die Kapitel zusammenhängen",
    how: "Jedes Kapitel steht auf seiner Schicht, rechts von dem, worauf es aufbaut.",
    after: (numbers) => `nach ${numbers.join(" und ")}`,
    whole: "Das ganze Buch, Schicht um Schicht",
    hurry: "Wenn es eilt:",
  },
  feed: "Was unter der Python-API geschieht: ein lebendes Lehrbuch, dessen Abbildungen laufen.",
  terms: {
    description: "Die Begriffe des Buchs in je ein, zwei Sätzen.",
    lede: "Die Begriffe des Buchs in je ein, zwei Sätzen, und wo sie erklärt werden.",
    used: "In",
  },
  missing: {
    title: "Nicht gefunden",
    description: "Diese Seite gibt es nicht.",
    heading: "Hier ist keine Seite",
    lede: "Vielleicht ist die Adresse vertippt, oder die Seite ist umgezogen. Diese Türen stehen offen:",
    search: "Das Buch durchsuchen",
    glossary: "Das Glossar",
    home: { link: "Die Startseite", rest: "nennt alle Artikel." },
  },
  offline: {
    title: "Kein Netz",
    description: "Diese Seite ist jetzt nicht erreichbar.",
    heading: "Das Netz ist fort",
    lede: "Diese Seite war in diesem Browser noch nie offen, darum gibt es hier keine Kopie von ihr. Mit Verbindung einfach neu laden.",
    kept: "Seiten, die jetzt lesbar sind",
  },
  bench: {
    name: "Messstand",
    title: "Messstand: Maschinen an sich selbst und aneinander gemessen",
    description:
      "Kernel, Größen und Genauigkeit wählen, auf diesem Server messen und mit anderen Maschinen und Tagen vergleichen.",
    heading: "Messstand",
    lede: "Wie schnell multipliziert diese Maschine Matrizen, und wie schnell könnte sie es? Kernel, Größen, Genauigkeit und Ort lassen sich wählen; jede Zahl steht neben dem, was die Maschine im selben Lauf nachweislich kann.",
    figure: "GFLOP/s über der Größe der Matrizen, und die Roofline der Maschine",
    caption:
      "Jeder Punkt ist ein Kernel mit einer Größe, geprüft gegen float64. Eine Zahl über der gemessenen Spitze wird abgelehnt: Der Lauf endet und sagt es, das Protokoll des Servers hat es, und nichts davon bleibt. Läufe warten, bis die Maschine frei ist; das Schild sagt, wie viele davor sind.",
    anywhere: {
      heading: "Jede Maschine messen",
      lede: "Eine einzige Datei misst eine Maschine, auf der weder dieses Buch noch ein Server läuft: einen Laptop, eine gemietete GPU. Sie besteht aus dem Quelltext der Abbildung oben und braucht nur NumPy. PyTorch wird gemessen, wo es installiert ist, und ebenso eine NVIDIA-GPU, die PyTorch erreicht. Mit clang oder gcc übersetzt sie auch unsere eigenen Kernel und misst, was der Prozessor höchstens kann.",
      script: "Das Skript herunterladen",
      notebook: "dasselbe als Notebook",
      or: "oder",
      writes:
        "Sie schreibt bench.json, worin zu jeder Zahl steht, woher sie kommt. Hier wird die Datei am Schema der Abbildung geprüft und daran, was eine Maschine überhaupt kann; dann steht sie neben den anderen Läufen, nur in diesem Browser.",
    },
    together: {
      heading: "Mehrere Geräte zugleich",
      lede: "Dieselben Größen auf jedem Gerät, das gerade da ist. Jedes zeichnet seine Linie, während es misst. Die Läufe des Servers kommen in die Liste oben.",
    },
    history: "Maschinen und Tage",
    kept: "Was auf diesem Server gemessen wurde, bleibt, nach Maschinen geordnet, wenn die Läufe selbst längst weggeräumt sind. Daneben stehen aufgezeichnete Läufe und das, was der eigene Browser gemessen hat.",
    browser: "Der eigene Browser",
    measure: {
      link: "Das eigene Gerät messen",
      rest: "und das Ergebnis steht oben in der Liste, nur in diesem Browser.",
    },
    noDevice: "Noch misst kein Lab den eigenen Browser; seine Läufe werden oben in der Liste stehen.",
    gpu: "Eine GPU",
    noGpu:
      "Noch ist keine GPU aufgezeichnet. Wo es eine gibt, zeichnet dies sie auf; nur PyTorch, Triton und NumPy müssen da sein:",
    hasGpu: (machines) => `Aufgezeichnet auf ${machines.join("; ")}. Es steht oben in der Liste.`,
    api: { before: "Programme lesen dieselben Läufe unter", after: "als JSON." },
  },
  gallery: {
    title: "Galerie",
    description: "Jede Abbildung hell und dunkel, breit und schmal, und still.",
    lede: "Jede Abbildung hell und dunkel, breit und schmal, und so, wie sie mit weniger Bewegung aussieht. Eine Abbildung, die niemand angesehen hat, ist nicht fertig.",
    views: (lab) => `${lab}, fünf Ansichten`,
    light: "hell",
    dark: "dunkel",
    narrowLight: "schmal, hell",
    narrowDark: "schmal, dunkel",
    still: "weniger Bewegung",
    figures: "Abbildungen",
  },
  lab: {
    word: "Lab",
    parameters: "Parameter",
    name: "Name",
    takes: "Nimmt",
    default: "Vorgabe",
    meaning: "Bedeutung",
    places: { browser: "im Browser", cpu: "auf dem Server", cuda: "auf einem CUDA-Worker" },
    runs: (places) => `Läuft ${places.join(" und ")}. Im Terminal:`,
    onDevice: "Läuft nur im Browser, denn es misst das eigene Gerät.",
    source: "Quelltext",
    version: "Version",
    same: "dieselbe Datei, wo immer es läuft, und in den Tests.",
  },
  value: (lab, date, machine) => `Aus einem Lauf von ${lab}, aufgezeichnet am ${date}: ${machine}`,
  scrub: (name, figure) => `${name}, in der Abbildung ${figure}`,
};
