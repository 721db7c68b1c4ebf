import type { Colour } from "../../../kit/concept";

/** How one way multiplies: so many vectors of so many numbers in a nanosecond. */
export interface Way {
  name: string;
  colour: Colour;
  says: string;
  lanes: number;
  /** Whether one instruction multiplies and adds. */
  fused: boolean;
  /** Vectors multiplied and added in a nanosecond, NaN where it was not measured. */
  vectors: number;
  speed: string;
  share: string;
}
