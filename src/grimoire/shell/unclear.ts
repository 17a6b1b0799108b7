/**
 * Thrown where shells read the script in different ways. All its values are then refused, because what follows may
 * change the meaning of what came before, as a declaration does.
 */
export class UnclearScriptError extends Error {
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
