/** What keeps a hostile or mistaken template from hanging or filling the memory. */
export const defaultLimits = {
  /** Characters of a template's text. */
  sourceLength: 1024 * 1024,
  /** Blocks and parentheses inside one another in a template's text. */
  nesting: 200,
  /** Nodes executed; work on long texts and lists counts as well. */
  steps: 5_000_000,
  /** `{{template}}` calls inside one another. */
  callDepth: 100,
  /** Blocks, parentheses and calls that are open at once while executing; guards the stack. */
  executionDepth: 500,
  /** Levels of arrays and objects that can be printed. */
  dataDepth: 500,
  /** Characters of the output, and of any text made on the way. */
  textLength: 16 * 1024 * 1024,
};

export type TemplateLimits = Readonly<typeof defaultLimits>;
