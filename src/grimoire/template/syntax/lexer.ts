import { isAlphaNumeric, isDigit, isPrintable, isSpace } from "./characters.ts";
import { scanNumber } from "./scan-number.ts";
import { keywords, type Token, type TokenKind } from "./token.ts";

const leftDelimiter = "{{";
const rightDelimiter = "}}";
const endOfText = -1;

/** What is open: the action, a parenthesis, or the inner braces of `include "p.md" key={{…}}`. */
interface Bracket {
  kind: "action" | "(" | "{{";
  /** Whether `include` was named since the last pipe: only there may `key=` follow. */
  hasInclude: boolean;
}

/** Cuts a template's text into tokens. What it cannot read ends the list as an error token. */
export function tokensOf(text: string): Token[] {
  return new Lexer(text).run();
}

class Lexer {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  #start = 0;
  #at = 0;
  #brackets: Bracket[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): Token[] {
    while (this.#plainText() && (this.#comment() ?? this.#action()));
    return this.#tokens;
  }

  /** The text up to the next action. False at the end. */
  #plainText(): boolean {
    const actionStart = this.#text.indexOf(leftDelimiter, this.#at);
    const end = actionStart < 0 ? this.#text.length : actionStart;
    this.#at = actionStart >= 0 && this.#hasLeftTrim(actionStart + 2) ? this.#spaceBefore(end) : end;
    if (this.#at > this.#start) this.#emit("text");
    this.#skipTo(end);
    if (actionStart < 0) this.#emit("end-of-text");
    return actionStart >= 0;
  }

  /** Undefined when no comment starts here; false when it never ends. */
  #comment(): boolean | undefined {
    const inside = this.#at + (this.#hasLeftTrim(this.#at + 2) ? 4 : 2);
    if (!this.#text.startsWith("/*", inside)) return undefined;
    this.#skipTo(inside);
    const end = this.#text.indexOf("*/", inside + 2);
    if (end < 0) return this.#fail("unclosed comment");
    const isTrimmed = this.#hasRightTrim(end + 2);
    if (!isTrimmed && !this.#text.startsWith(rightDelimiter, end + 2)) {
      return this.#fail("a comment must end right before its closing delimiter");
    }
    this.#skipTo(isTrimmed ? this.#spaceAfter(end + 6) : end + 4);
    return true;
  }

  #action(): boolean {
    const isTrimmed = this.#hasLeftTrim(this.#at + 2);
    this.#at += 2;
    this.#emit("left-delimiter");
    if (isTrimmed) this.#skipTo(this.#at + 2);
    this.#brackets = [{ kind: "action", hasInclude: false }];
    while (this.#brackets.length > 0) {
      if (!this.#insideAction()) return false;
    }
    return true;
  }

  /** One token of an action, or its end. */
  #insideAction(): boolean {
    const closing = this.#closing();
    if (closing !== undefined) return closing;
    const code = this.#next();
    switch (code) {
      case endOfText:
        return this.#fail("unclosed action");
      case 0x3d:
        return this.#emit("assign");
      case 0x3a:
        return this.#next() === 0x3d ? this.#emit("declare") : this.#fail("expected :=");
      case 0x7c:
        this.#top().hasInclude = false;
        return this.#emit("pipe");
      case 0x22:
        return this.#quoted(code, "string");
      case 0x27:
        return this.#quoted(code, "char-constant");
      case 0x60:
        return this.#rawString();
      case 0x24:
        return this.#fieldOrVariable("variable");
      case 0x28:
        return this.#open("left-paren", "(");
      case 0x29:
        this.#emit("right-paren");
        return this.#brackets.at(-1)?.kind === "(" ? this.#close() : this.#fail("unexpected right paren");
    }
    if (isSpace(code)) return this.#space();
    if (code === 0x2e && !isDigit(this.#peek()) && this.#peek() !== endOfText) return this.#fieldOrVariable("field");
    if (code === 0x2e || code === 0x2b || code === 0x2d || isDigit(code)) return this.#number();
    if (isAlphaNumeric(code)) return this.#word();
    if (code < 0x80 && isPrintable(code)) return this.#emit("char");
    return this.#fail(`unrecognized character in action: ${showCharacter(code)}`);
  }

  /** Closes the action or the inner braces. Undefined when no closing delimiter is here. */
  #closing(): boolean | undefined {
    const { kind } = this.#top();
    const isTrimmed = kind !== "{{" && this.#hasRightTrim(this.#at);
    if (!isTrimmed && !this.#text.startsWith(rightDelimiter, this.#at)) return undefined;
    if (kind === "(") return this.#fail("unclosed left paren");
    if (isTrimmed) this.#skipTo(this.#at + 2);
    this.#at += 2;
    this.#emit(kind === "{{" ? "right-braces" : "right-delimiter");
    if (isTrimmed) this.#skipTo(this.#spaceAfter(this.#at));
    return this.#close();
  }

  #space(): boolean {
    while (isSpace(this.#peek())) this.#at++;
    // The last space may belong to a trim marker.
    if (this.#top().kind !== "{{" && this.#hasRightTrim(this.#at - 1)) this.#at--;
    return this.#at > this.#start ? this.#emit("space") : true;
  }

  #word(): boolean {
    this.#skipName();
    const word = this.#text.slice(this.#start, this.#at);
    if (this.#peek() === 0x3d && this.#top().hasInclude) return this.#key();
    if (!this.#atTerminator()) return this.#badCharacter();
    if (word === "include") this.#top().hasInclude = true;
    const kind = word === "true" || word === "false" ? "bool" : "identifier";
    return this.#emit(keywords.get(word) ?? kind);
  }

  /** `key=` of an include; its value may stand in braces. */
  #key(): boolean {
    this.#emit("key");
    this.#skipTo(this.#at + 1);
    if (!this.#text.startsWith(leftDelimiter, this.#at)) return true;
    this.#at += 2;
    return this.#open("left-braces", "{{");
  }

  #fieldOrVariable(kind: "field" | "variable"): boolean {
    if (this.#atTerminator()) return this.#emit(kind === "field" ? "dot" : "variable");
    this.#skipName();
    return this.#atTerminator() ? this.#emit(kind) : this.#badCharacter();
  }

  #number(): boolean {
    const { end, kind } = scanNumber(this.#text, this.#start);
    this.#at = end;
    if (kind === undefined) return this.#fail(`bad number syntax: ${this.#text.slice(this.#start, end)}`);
    return this.#emit(kind);
  }

  #quoted(quote: number, kind: "string" | "char-constant"): boolean {
    const what = kind === "string" ? "unterminated quoted string" : "unterminated character constant";
    for (;;) {
      let code = this.#next();
      if (code === quote) return this.#emit(kind);
      if (code === 0x5c) code = this.#next();
      if (code === endOfText || code === 0x0a) return this.#fail(what);
    }
  }

  #rawString(): boolean {
    const end = this.#text.indexOf("`", this.#at);
    if (end < 0) return this.#fail("unterminated raw quoted string");
    this.#at = end + 1;
    return this.#emit("raw-string");
  }

  #open(kind: TokenKind, bracket: "(" | "{{"): true {
    this.#brackets.push({ kind: bracket, hasInclude: false });
    return this.#emit(kind);
  }

  #close(): true {
    this.#brackets.pop();
    return true;
  }

  #top(): Bracket {
    return this.#brackets.at(-1)!;
  }

  #emit(kind: TokenKind): true {
    this.#tokens.push({ kind, offset: this.#start, text: this.#text.slice(this.#start, this.#at) });
    this.#start = this.#at;
    return true;
  }

  #fail(message: string): false {
    this.#tokens.push({ kind: "error", offset: this.#start, text: message });
    return false;
  }

  #badCharacter(): false {
    return this.#fail(`bad character ${showCharacter(this.#peek())}`);
  }

  #skipTo(offset: number): void {
    this.#at = offset;
    this.#start = offset;
  }

  #skipName(): void {
    while (isAlphaNumeric(this.#peek())) this.#next();
  }

  #peek(): number {
    return this.#text.codePointAt(this.#at) ?? endOfText;
  }

  #next(): number {
    const code = this.#peek();
    if (code !== endOfText) this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  /** Whether a name may end here. Cuts .X.Y in two, and refuses things like $x+2. */
  #atTerminator(): boolean {
    const code = this.#peek();
    if (code === endOfText || isSpace(code)) return true;
    return ".,|:)(".includes(String.fromCodePoint(code)) || this.#text.startsWith(rightDelimiter, this.#at);
  }

  #hasLeftTrim(offset: number): boolean {
    return this.#text[offset] === "-" && isSpace(this.#text.charCodeAt(offset + 1));
  }

  /** Whether ` -}}` stands here. */
  #hasRightTrim(offset: number): boolean {
    return isSpace(this.#text.charCodeAt(offset)) && this.#text.startsWith("-}}", offset + 1);
  }

  #spaceBefore(offset: number): number {
    while (offset > this.#start && isSpace(this.#text.charCodeAt(offset - 1))) offset--;
    return offset;
  }

  #spaceAfter(offset: number): number {
    while (isSpace(this.#text.charCodeAt(offset))) offset++;
    return offset;
  }
}

function showCharacter(code: number): string {
  if (code === endOfText) return "at the end of the text";
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return isPrintable(code) ? `${name} '${String.fromCodePoint(code)}'` : name;
}
