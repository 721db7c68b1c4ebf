import { light, type Light, type Picked, type Stage } from "./links";

/** What the reader points at: what the mouse is over, else what was chosen. */
export class Pointer<T> {
  private hovered = $state.raw<T>();
  private kept = $state.raw<T>();
  readonly at = $derived(this.hovered ?? this.kept);

  readonly pick = (picked: T | undefined, keep: boolean): void => {
    if (keep) this.kept = picked;
    this.hovered = keep ? undefined : picked;
  };
}

/** The same in the stages of a program, where a line lights its kin. */
export class Pointing {
  private readonly pointer = new Pointer<Picked>();
  /** The picture that a line of LLVM's code was picked in; in another one its number means another line. */
  private picture: unknown;

  constructor(private readonly stage: () => Stage) {}

  readonly light: Light = $derived.by(() => {
    const stage = this.stage();
    const picked = this.pointer.at ?? {};
    const { ir, ...rest } = picked;
    return light(this.picture === stage ? picked : rest, stage);
  });

  pick(picked: Picked | undefined, keep: boolean): void {
    this.picture = this.stage();
    this.pointer.pick(picked, keep);
  }
}
