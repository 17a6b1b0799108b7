/**
 * Thrown where the script cannot be read the way every shell reads it. All its values are then refused: what follows
 * may change what stands before, as a declaration does, and better none than a misplaced one.
 */
export class Unclear extends Error {
  readonly offset: number;
  readonly hint: string;
  /** `everywhere`: no shell can make sense of it. Otherwise some can, but not all in the same way. */
  readonly extent: "somewhere" | "everywhere";

  constructor(offset: number, what: string, hint: string, extent: "somewhere" | "everywhere" = "somewhere") {
    super(what);
    this.offset = offset;
    this.hint = hint;
    this.extent = extent;
  }
}
