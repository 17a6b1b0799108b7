import type { HereDocument } from "./reading.ts";
import { endsEscaped } from "./blanks.ts";
import { readQuotedCharacter } from "./expansion.ts";
import type { Lexer } from "./lexer.ts";
import { refusals } from "./refusal.ts";
import { readWord } from "./word.ts";

const PLAIN_DELIMITER = /^[A-Za-z0-9_.-]+$/;

/** Reads the delimiter behind `<<` and remembers the here-document until the line ends. */
export function readDelimiter(lexer: Lexer, stripTabs: boolean): HereDocument {
  const word = readWord(lexer);
  const raw = lexer.text.slice(word.start, word.end);
  lexer.refuse(word.holes, refusals.delimiter);
  if (raw === "" || /[$`\n\0<>]/.test(raw)) {
    throw lexer.unclear("the delimiter of a here-document is not a plain word", "Use one such as EOF.", word.start);
  }
  const document: HereDocument = {
    delimiter: word.text,
    start: word.start,
    end: word.end,
    isQuoted: !word.isPlain,
    stripTabs,
    stdinUses: [],
  };
  lexer.pending.push(document);
  return document;
}

/** Reads the texts of the here-documents whose line has just ended. */
export function readHereDocuments(lexer: Lexer): void {
  const documents = lexer.pending;
  lexer.pending = [];
  for (const document of documents) {
    const { bodyEnd, next } = findEnd(lexer, document);
    const firstHole = lexer.nextHole;
    const outer = lexer.openDocuments;
    lexer.openDocuments = [...outer, document];
    if (document.isQuoted) readQuotedText(lexer, document, bodyEnd);
    else readText(lexer, bodyEnd);
    lexer.openDocuments = outer;
    lexer.at = next;
    document.holes = { first: firstHole, end: lexer.nextHole };
    for (const use of document.stdinUses) lexer.checkStdin(use, document.holes);
  }
}

/** The line that begins at `start`, and where the next one does. */
function lineAt(lexer: Lexer, start: number): { text: string; next: number } {
  const newline = lexer.text.indexOf("\n", start);
  const end = newline === -1 || newline >= lexer.limit ? lexer.limit : newline;
  return { text: lexer.text.slice(start, end), next: Math.min(end + 1, lexer.limit) };
}

function isDelimiterLine(document: HereDocument, line: string): boolean {
  return (document.stripTabs ? line.replace(/^\t+/, "") : line) === document.delimiter;
}

/**
 * Where the text of a here-document ends, and where the line behind its delimiter starts. Unless the delimiter is quoted,
 * shells differ on whether a line that a backslash joins to another can end the text.
 */
function findEnd(lexer: Lexer, document: HereDocument): { bodyEnd: number; next: number } {
  let linePrefix: string | undefined;
  for (let start = lexer.at; start < lexer.limit;) {
    const line = lineAt(lexer, start);
    const isContinued = !document.isQuoted && endsEscaped(line.text);
    const fullLine = (linePrefix ?? "") + (isContinued ? line.text.slice(0, -1) : line.text);
    if (linePrefix === undefined && !isContinued) {
      if (isDelimiterLine(document, line.text)) return { bodyEnd: start, next: line.next };
    } else if (isDelimiterLine(document, line.text) || (!isContinued && isDelimiterLine(document, fullLine))) {
      const message = "a backslash at the end of a line stands before the end of a here-document";
      throw lexer.unclear(message, "Remove that backslash.", start);
    }
    // Only as much as tells whether it can still become the delimiter: keeps long texts cheap.
    const stripped = document.stripTabs ? fullLine.replace(/^\t+/, "") : fullLine;
    linePrefix = isContinued ? stripped.slice(0, document.delimiter.length + 1) : undefined;
    start = line.next;
  }
  throw unclosedDocument(lexer, document);
}

function unclosedDocument(lexer: Lexer, { delimiter, start, stripTabs }: HereDocument) {
  const blanks = stripTabs ? "with nothing but tabs before it" : "without blanks before it";
  const hint = `Write ${delimiter} alone on the line behind its text, ${blanks} and none behind it.`;
  return lexer.unclosed(`the here-document ${delimiter}`, start, hint);
}

function readText(lexer: Lexer, bodyEnd: number): void {
  const outerLimit = lexer.limit;
  lexer.limit = bodyEnd;
  while (lexer.at < bodyEnd) readQuotedCharacter(lexer, "here-document");
  lexer.limit = outerLimit;
}

/** A quoted here-document expands nothing, so one with holes loses its quotes, and its own text is escaped instead. */
function readQuotedText(lexer: Lexer, document: HereDocument, bodyEnd: number): void {
  const firstHole = lexer.nextHole;
  const escapes: number[] = [];
  while (lexer.at < bodyEnd) {
    if (lexer.atHole) lexer.takeHole("here-document");
    else {
      if ("\\$`".includes(lexer.peek())) escapes.push(lexer.at);
      lexer.at++;
    }
  }
  if (lexer.nextHole === firstHole) return;
  if (!PLAIN_DELIMITER.test(document.delimiter)) {
    lexer.refuse({ first: firstHole, end: lexer.nextHole }, refusals.delimiterQuotes);
    return;
  }
  lexer.edits.push({ start: document.start, end: document.end, text: document.delimiter });
  for (const offset of escapes) lexer.edits.push({ start: offset, end: offset, text: "\\" });
}
