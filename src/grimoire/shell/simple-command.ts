import type { HereDocument } from "./reading.ts";
import type { Redirection } from "./redirection.ts";
import { isStandardInput } from "./rules/rule.ts";
import type { ShellWord } from "./word.ts";

/** A command as far as it is read: `X=1 <in name arguments`. */
export class SimpleCommand {
  readonly words: ShellWord[] = [];
  /** Words that only set variables, before the command's name. */
  readonly assignments: ShellWord[] = [];
  /** What the command reads: here-documents, and the words of here-strings and files. */
  readonly documents: HereDocument[] = [];
  readonly sources: ShellWord[] = [];
  /** Whether its standard input is one of those, not what comes through a pipe. */
  hasInputRedirection = false;
  /** From this word on, shells other than bash see another command. */
  otherCommandStart = Infinity;
  /** Whether a part of it was read: from then on no word is reserved. */
  hasStarted = false;

  /** `descriptor` is what stands directly before the operator, if anything does. */
  redirect({ operator, target, document }: Redirection, descriptor = ""): void {
    this.hasStarted = true;
    if (document !== undefined) this.documents.push(document);
    const isInput = document !== undefined || operator === "<" || operator === "<<<";
    if (isInput && target !== undefined) this.sources.push(target);
    if (isInput && /^0?$/.test(descriptor) && !(target && isStandardInput(target))) this.hasInputRedirection = true;
    if (operator.startsWith("&")) this.otherCommandStart = Math.min(this.otherCommandStart, this.words.length);
  }
}
