import type { HereDocument } from "./reading.ts";
import type { Redirection } from "./redirection.ts";
import { isStandardInput } from "./rules/rule.ts";
import type { Word } from "./word.ts";

/** A command as far as it is read: `X=1 <in name arguments`. */
export class SimpleCommand {
  readonly words: Word[] = [];
  /** Words that only set variables, before the command's name. */
  readonly assignments: Word[] = [];
  /** What the command reads: here-documents, and the words of here-strings and files. */
  readonly documents: HereDocument[] = [];
  readonly sources: Word[] = [];
  /** Whether its standard input is one of those, not what comes through a pipe. */
  redirected = false;
  /** From this word on, shells other than bash see another command. */
  otherFrom = Infinity;
  /** Whether anything of it was read, after which no word is reserved any more. */
  started = false;

  /** `descriptor` is what stands directly before the operator, if anything does. */
  redirect({ operator, target, document }: Redirection, descriptor = ""): void {
    this.started = true;
    if (document !== undefined) this.documents.push(document);
    const reads = document !== undefined || operator === "<" || operator === "<<<";
    if (reads && target !== undefined) this.sources.push(target);
    if (reads && /^0?$/.test(descriptor) && !(target && isStandardInput(target))) this.redirected = true;
    if (operator.startsWith("&")) this.otherFrom = Math.min(this.otherFrom, this.words.length);
  }
}
