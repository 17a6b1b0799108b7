import type { HereDocument } from "./lexer.ts";
import type { Redirection } from "./redirection.ts";
import type { Word } from "./word.ts";

/** A command as far as it is read: `X=1 <in name arguments`. */
export class SimpleCommand {
  readonly words: Word[] = [];
  /** Words that only set variables, before the command's name. */
  readonly assignments: Word[] = [];
  /** Here-documents and here-strings: what the command reads. */
  readonly documents: HereDocument[] = [];
  readonly strings: Word[] = [];
  /** From this word on, shells other than bash see another command. */
  otherFrom = Infinity;
  /** Whether anything of it was read, after which no word is reserved any more. */
  started = false;

  redirect(redirection: Redirection): void {
    this.started = true;
    if (redirection.document !== undefined) this.documents.push(redirection.document);
    if (redirection.operator === "<<<" && redirection.target !== undefined) this.strings.push(redirection.target);
    if (redirection.operator.startsWith("&")) this.otherFrom = Math.min(this.otherFrom, this.words.length);
  }
}
