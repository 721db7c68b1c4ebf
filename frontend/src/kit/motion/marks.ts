/** Moves what is marked from one picture to the next. `data-mark="key"` gives a part of a drawing an identity. A part
 *  whose key is in both pictures goes from where it is to where it belongs; a new one comes out of the mark that its
 *  `data-from` names, or fades in; one that is gone goes into the mark that its `data-into` named, or fades. The page
 *  says at once what the new picture says: only places, sizes and colours are on their way. */
import { calm } from "./calm";
import { count } from "./count";
import "./marks.css";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
type Drawn = HTMLElement | SVGGraphicsElement;
interface Mark {
  node: Drawn;
  parent: Element | null;
  /** In pixels from the corner of the drawing. */
  box: Box;
  /** What a number that counts has got to. */
  words: string;
}

type Flight = [PropertyIndexedKeyframes, CompositeOperation];
/** The likeness of a mark that is gone, for as long as it leaves. */
interface Lent {
  ghost: Drawn;
  parent: Element;
  box: Box;
  into: Box;
}

const [SHORTEST, LONGEST] = [150, 380]; // ms
/** Of the time between two pictures, how much may be on the way. */
const SHARE = 0.8;
/** Durations differ by so much: for another one a browser restyles all of the picture. */
const GRAIN = 50;
/** Pictures that follow one another faster than that, as while a slider is dragged, are shown as they come: nothing
 *  would arrive before it sets out anew, and the next picture would wait for what moves. */
const TOO_FAST = SHORTEST / SHARE;
/** A picture of more marks is a texture: the eye follows none of them. */
const MOST = 600;
const EASING = "cubic-bezier(0.3, 0.7, 0.3, 1)";

export class Marks {
  private readonly root: HTMLElement;
  private seen = new Map<string, Mark>();
  private moves: Animation[] = [];
  private ghosts = new Set<Animation>();
  private last = -Infinity;

  /** `root` holds the drawing, and has a box of its own. */
  constructor(root: HTMLElement) {
    this.root = root;
  }

  /** Before a new picture is drawn: where everything is, in flight or at rest. */
  before(): void {
    const fast = performance.now() - this.last < TOO_FAST;
    this.seen = !fast && !calm() && this.inView() ? this.look() : new Map<string, Mark>();
  }

  private inView(): boolean {
    const { top, bottom } = this.root.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  }

  /** After it was drawn: whatever has another place now sets out for it. */
  after(): void {
    for (const move of this.moves) move.cancel();
    this.moves = [];
    const duration = this.duration();
    if (duration === 0) for (const ghost of this.ghosts) ghost.cancel();
    const old = this.seen;
    this.seen = new Map();
    if (old.size === 0 || duration === 0) return;

    const how = { duration, easing: EASING };
    // A read after a write lays the whole page out anew: all is read, then all written, and once more for what leaves.
    const now = this.look();
    const gone = [...old].filter(([key, { node }]) => !now.has(key) && !node.isConnected);
    const lent = gone.flatMap(([, mark]) => this.lend(mark, now));
    const starts = [...now].map(([key, mark]) => this.start(mark, old.get(key), old, how));
    for (const start of starts) start?.();
    for (const { parent, ghost } of lent) parent.append(ghost);
    this.leave(lent, how);
  }

  /** How long to take: the sooner pictures follow one another, the shorter. */
  private duration(): number {
    const now = performance.now();
    const apart = now - this.last;
    this.last = now;
    const taken = apart < TOO_FAST ? 0 : Math.min(LONGEST, GRAIN * Math.floor((SHARE * apart) / GRAIN));
    const pace = taken === LONGEST ? "" : `${taken}ms`;
    const { style } = this.root;
    if (style.getPropertyValue("--motion") !== pace) style.setProperty("--motion", pace);
    return taken;
  }

  private look(): Map<string, Mark> {
    const nodes = this.root.querySelectorAll<Drawn>("[data-mark]:not([data-leaving])");
    if (nodes.length > MOST) return new Map();
    const corner = this.root.getBoundingClientRect();
    const marks = new Map<string, Mark>();
    for (const node of nodes) {
      const { left, top, width, height } = node.getBoundingClientRect();
      if (width + height === 0) continue; // in a part of the drawing that is not shown
      const box = { x: left - corner.left, y: top - corner.top, width, height };
      const words = node.dataset.counting ?? ("count" in node.dataset ? node.textContent : "");
      marks.set(node.dataset.mark!, { node, parent: node.parentElement, box, words });
    }
    return marks;
  }

  /** What sets a mark off, if anything: from where it was, out of another one, or out of nothing. */
  private start(
    mark: Mark,
    before: Mark | undefined,
    old: Map<string, Mark>,
    how: KeyframeAnimationOptions & { duration: number },
  ): (() => void) | undefined {
    const { node } = mark;
    if (node instanceof HTMLElement && "count" in node.dataset)
      return before && (() => count(node, before.words, how.duration));
    const from = before ?? first(old, node.dataset.from);
    if (!from) return () => void node.animate([{ opacity: 0, offset: 0 }], how);
    const flights = between(mark, from.box);
    return () => {
      for (const [keyframes, composite] of flights)
        this.moves.push(node.animate(keyframes, { ...how, composite }));
    };
  }

  /** What is gone is lent to the page once more. */
  private lend({ node, parent, box }: Mark, now: Map<string, Mark>): Lent[] {
    if (!parent?.isConnected || !shows(parent, box, this.root)) return [];
    const ghost = node.cloneNode(true) as Drawn;
    ghost.dataset.leaving = "";
    ghost.ariaHidden = "true";
    ghost.removeAttribute("id");
    if (ghost instanceof HTMLElement) {
      ghost.inert = true;
      const { width, height } = box;
      ghost.style.cssText += `;position:absolute;inset:auto;top:0;left:0;margin:0;grid-area:auto;width:${width}px;height:${height}px;transform:none`;
    }
    return [{ ghost, parent, box, into: first(now, node.dataset.into)?.box ?? box }];
  }

  /** From where it was to what it goes into. */
  private leave(lent: Lent[], how: KeyframeAnimationOptions): void {
    if (lent.length === 0) return;
    const corner = this.root.getBoundingClientRect();
    const placed = lent.map(({ ghost, box, into }) => {
      const { left, top, width, height } = ghost.getBoundingClientRect();
      const here = { x: left - corner.left, y: top - corner.top, width, height };
      return { ghost, from: way(ghost, here, box), to: way(ghost, here, into) };
    });
    for (const { ghost, from, to } of placed) {
      const translate = [from, to].map(([x, y]) => `${x}px ${y}px`);
      const flight = ghost.animate(
        [{ translate: translate[0]! }, { translate: translate[1]!, opacity: 0 }],
        how,
      );
      this.ghosts.add(flight);
      flight.onfinish = flight.oncancel = () => {
        this.ghosts.delete(flight);
        ghost.remove();
      };
    }
  }
}

/** The first there is of the marks that a part names. */
const first = (marks: Map<string, Mark>, names = ""): Mark | undefined =>
  names
    .split("|")
    .map((name) => marks.get(name))
    .find(Boolean);

/** From a box to where the mark is by now: its way there, on top of its own place, and its size. */
function between({ node, box }: Mark, from: Box): Flight[] {
  const own = "size" in node.dataset;
  const [dx, dy] = way(node, box, own ? around(from, box) : from);
  const flights: Flight[] = [];
  if (Math.abs(dx) + Math.abs(dy) > 0.1) flights.push([{ translate: [`${dx}px ${dy}px`, "0px 0px"] }, "add"]);
  if (own || node instanceof SVGElement) return flights; // the geometry of a shape is tweened by the style sheet
  const [wide, high] = [box.width - from.width, box.height - from.height];
  const size = {
    width: [`${from.width}px`, `${box.width}px`],
    height: [`${from.height}px`, `${box.height}px`],
  };
  if (Math.abs(wide) + Math.abs(high) >= 1) flights.push([size, "replace"]);
  return flights;
}

/** A box in the middle of another. */
const around = (other: Box, { width, height }: Box): Box => ({
  x: other.x + (other.width - width) / 2,
  y: other.y + (other.height - height) / 2,
  width,
  height,
});

/** Whether no box that scrolls hides this place in a part of the page. */
function shows(parent: Element, box: Box, root: HTMLElement): boolean {
  const corner = root.getBoundingClientRect();
  for (let outer: Element | null = parent; outer && outer !== root; outer = outer.parentElement) {
    if (getComputedStyle(outer).overflowY === "visible") continue;
    const { top, bottom } = outer.getBoundingClientRect();
    const middle = corner.top + box.y + box.height / 2;
    if (middle < top || middle > bottom) return false;
  }
  return true;
}

/** What to add to the place of a node so that it stands in another box: to corners of a box, to middles of a shape,
 *  and there in the units of its drawing. */
function way(node: Drawn, here: Box, there: Box): [number, number] {
  if (node instanceof HTMLElement) return [there.x - here.x, there.y - here.y];
  const scale = (node.parentElement as unknown as SVGGraphicsElement).getScreenCTM?.()?.inverse();
  const [x, y] = [
    there.x + there.width / 2 - here.x - here.width / 2,
    there.y + there.height / 2 - here.y - here.height / 2,
  ];
  return scale ? [scale.a * x + scale.c * y, scale.b * x + scale.d * y] : [x, y];
}
