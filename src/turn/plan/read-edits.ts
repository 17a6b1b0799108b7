import type { Edit } from "../../contract/plan.ts";
import type { Block } from "./blocks.ts";
import type { FenceBlock } from "./fence.ts";
import type { Findings, Spot } from "./findings.ts";
import { editLabel, type EditLabel } from "./plain-words.ts";
import { refuseMarkIn } from "./read-content.ts";

const fencesForm = "#### `FIND:` and a fence, then #### `REPLACE:` and a fence";

/** The FIND and REPLACE pairs of an EDIT, while its pieces are read. */
export class EditReader {
  readonly #findings: Findings;
  readonly #edits: Edit[] = [];
  #label: (Spot & { label: EditLabel }) | undefined;
  /** What a REPLACE has to follow. */
  #find: (Spot & { text: string; textLine: number }) | undefined;
  #hasPairs = false;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Takes a label, however it is written. False when the text is none. */
  takeLabel(block: Exclude<Block, FenceBlock>): boolean {
    const label = editLabel(block.text);
    if (label === undefined) return false;
    this.#closeLabel();
    this.#hasPairs = true;
    if (label === "FIND") this.#closeFind();
    else if (!this.#find) this.#findings.error(block, "REPLACE has no FIND before it", fencesForm);
    this.#label = { label, line: block.line, offset: block.offset };
    return true;
  }

  takeFence(fence: FenceBlock): void {
    const label = this.#label;
    this.#label = undefined;
    if (!label) {
      if (!fence.isBroken)
        this.#findings.error(fence, "in an EDIT, FIND or REPLACE stands before each fence", fencesForm);
      return;
    }
    refuseMarkIn(fence, this.#findings);
    const text = fence.content.join("\n");
    if (label.label === "FIND") {
      if (text === "" && !fence.isBroken)
        this.#findings.error(fence, "FIND is empty", "text that stands in the file exactly once");
      this.#find = { line: label.line, offset: label.offset, text, textLine: fence.line + 1 };
    } else if (this.#find) {
      this.#edits.push({ find: this.#find.text, replace: text, line: this.#find.textLine + 1 });
      this.#find = undefined;
    }
  }

  /** All pairs; reports what is missing at the action's end. */
  finish(heading: Spot): Edit[] {
    this.#closeLabel();
    this.#closeFind();
    if (!this.#hasPairs) this.#findings.error(heading, "EDIT has no FIND and REPLACE", fencesForm);
    return this.#edits;
  }

  #closeLabel(): void {
    if (!this.#label) return;
    const { label } = this.#label;
    this.#findings.error(this.#label, `${label} has no fence below it`, `~~~~~~ around the text of ${label}`);
    this.#label = undefined;
    // It was begun; its REPLACE is not missing as well.
    if (label === "REPLACE") this.#find = undefined;
  }

  #closeFind(): void {
    if (this.#find) this.#findings.error(this.#find, "FIND has no REPLACE behind it", fencesForm);
    this.#find = undefined;
  }
}
