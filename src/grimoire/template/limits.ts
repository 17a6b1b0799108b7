/** What keeps a hostile or mistaken template from hanging or filling the memory. */
export interface Limits {
  /** Characters of a template's text. */
  sourceLength: number;
  /** Blocks and parentheses inside one another in a template's text. */
  nesting: number;
  /** Nodes executed; work on long texts and lists counts as well. */
  steps: number;
  /** `{{template}}` calls inside one another. */
  callDepth: number;
  /** Blocks, parentheses and calls that are open at once while executing; guards the stack. */
  executionDepth: number;
  /** Levels of arrays and objects that can be printed. */
  dataDepth: number;
  /** Characters of the output, and of any text made on the way. */
  textLength: number;
}

export const defaultLimits: Readonly<Limits> = {
  sourceLength: 1024 * 1024,
  nesting: 200,
  steps: 5_000_000,
  callDepth: 100,
  executionDepth: 500,
  dataDepth: 500,
  textLength: 16 * 1024 * 1024,
};
