/** What the reader points at: what the mouse is over, else what was chosen. */
import { light, type Light, type Picked, type Stage } from "./links";

export class Pointing {
  private hovered = $state.raw<Picked>();
  private kept = $state.raw<Picked>();
  /** The picture that a line of LLVM's code was picked in; in another one its number means another line. */
  private picture: unknown;

  constructor(private readonly stage: () => Stage) {}

  readonly light: Light = $derived.by(() => {
    const stage = this.stage();
    const picked = this.hovered ?? this.kept ?? {};
    const { ir, ...rest } = picked;
    return light(this.picture === stage ? picked : rest, stage);
  });

  pick(picked: Picked | undefined, keep: boolean): void {
    this.picture = this.stage();
    if (keep) this.kept = picked;
    this.hovered = keep ? undefined : picked;
  }
}
