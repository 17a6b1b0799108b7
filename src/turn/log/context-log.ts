/** What a turn's agent is told, as `_context.log` has it. Its page is docs/formats/context-log.md. */
export interface ContextLog {
  /** Who the agent is, and the form of its answer. */
  system: string;
  memos: string[];
  /** The report of the turn before, whole. */
  report?: { turn: string; text: string };
  files: ShownFile[];
  /** Paths of context lists at which there is no file. */
  missing: string[];
  message: string;
}

/** A file with its content, or why it is not shown. */
export type ShownFile = { path: string; content: string } | { path: string; omitted: string };

const title = "# Clew context 1";
const noNewline = " (no newline at the end)";
const shortestFence = 6;

/** The log as text. Nothing inside can end a fence: it is longer than any run of tildes at the begin of a line of any content. */
export function writeContextLog(log: ContextLog): string {
  const texts = [
    log.system,
    log.message,
    ...(log.report ? [log.report.text] : []),
    ...log.files.flatMap((file) => ("content" in file ? [file.content] : [])),
    ...[log.memos, log.missing].map((lines) => listOf(lines)),
  ];
  const fence = "~".repeat(texts.reduce((most, text) => Math.max(most, longestRun(text) + 1), shortestFence));
  const fenced = (text: string): string[] =>
    text.endsWith("\n") ? [fence, text.slice(0, -1), fence] : [fence + noNewline, text, fence];
  const list = (lines: string[]): string[] => (lines.length === 0 ? ["none"] : [fence, listOf(lines), fence]);
  const lines = [
    `${title}, fences of ${fence.length} tildes`,
    "",
    "## System",
    ...fenced(log.system),
    "",
    "## Memos",
    ...list(log.memos),
    ...(log.report ? ["", `## Report of turn ${log.report.turn}`, ...fenced(log.report.text)] : []),
    "",
    "## Files",
    ...log.files.flatMap((file) => [
      "",
      `### ${nameOf(file.path)}`,
      ...("content" in file ? fenced(file.content) : [`not shown: ${nameOf(file.omitted)}`]),
    ]),
    "",
    "## Missing files",
    ...list(log.missing),
    "",
    "## Message",
    ...fenced(log.message),
  ];
  return `${lines.join("\n")}\n`;
}

/** Reads a log back, exactly; undefined when it is none. */
export function readContextLog(text: string): ContextLog | undefined {
  try {
    return new LogReader(text).read();
  } catch (error) {
    if (error instanceof NotALog) return undefined;
    throw error;
  }
}

class NotALog extends Error {}

class LogReader {
  readonly #text: string;
  #at = 0;
  #fence = "";

  constructor(text: string) {
    this.#text = text;
  }

  read(): ContextLog {
    const [, length] = /^# Clew context 1, fences of (\d{1,9}) tildes$/.exec(this.#line()) ?? [];
    if (length === undefined || Number(length) > this.#text.length) throw new NotALog();
    this.#fence = "~".repeat(Number(length));
    this.#expect("", "## System");
    const system = this.#fenced();
    this.#expect("", "## Memos");
    const memos = this.#list();
    this.#expect("");
    const report = this.#report();
    this.#expect("## Files", "");
    const files: ShownFile[] = [];
    while (this.#peek().startsWith("### ")) {
      files.push(this.#file());
      this.#expect("");
    }
    this.#expect("## Missing files");
    const missing = this.#list();
    this.#expect("", "## Message");
    const message = this.#fenced();
    if (this.#at !== this.#text.length) throw new NotALog();
    return { system, memos, ...(report && { report }), files, missing, message };
  }

  #report(): ContextLog["report"] {
    const [, turn] = /^## Report of turn ([\w-]+)$/.exec(this.#peek()) ?? [];
    if (turn === undefined) return undefined;
    this.#line();
    const text = this.#fenced();
    this.#expect("");
    return { turn, text };
  }

  #file(): ShownFile {
    const path = readName(this.#line().slice("### ".length));
    if (!this.#peek().startsWith("not shown: ")) return { path, content: this.#fenced() };
    return { path, omitted: readName(this.#line().slice("not shown: ".length)) };
  }

  #list(): string[] {
    if (this.#peek() === "none") {
      this.#line();
      return [];
    }
    const lines = this.#fenced().split("\n").slice(0, -1);
    return lines.map((line) => readName(line.replace(/^- /, "")));
  }

  /** The text between two fences. */
  #fenced(): string {
    const opening = this.#line();
    if (opening !== this.#fence && opening !== this.#fence + noNewline) throw new NotALog();
    const start = this.#at;
    const close = `\n${this.#fence}\n`;
    // The fence may follow at once: then there is nothing between.
    const end = this.#text.indexOf(close, start - 1);
    if (end < 0) throw new NotALog();
    this.#at = end + close.length;
    const text = this.#text.slice(start, Math.max(start, end));
    return opening === this.#fence ? `${text}\n` : text;
  }

  #expect(...lines: string[]): void {
    for (const line of lines) if (this.#line() !== line) throw new NotALog();
  }

  #peek(): string {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? "" : this.#text.slice(this.#at, end);
  }

  #line(): string {
    const end = this.#text.indexOf("\n", this.#at);
    if (end < 0) throw new NotALog();
    const line = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return line;
  }
}

function listOf(lines: string[]): string {
  return lines.map((line) => `- ${nameOf(line)}`).join("\n");
}

/** A text on one line: as it is, or as JSON where it could not be read back so. */
function nameOf(text: string): string {
  return /[\u0000-\u001f\u007f\u2028\u2029]|^["\s]|\s$|^$/.test(text) ? JSON.stringify(text) : text;
}

function readName(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string") return value;
  } catch {
    // Written by hand.
  }
  throw new NotALog();
}

/** The longest run of tildes at the begin of a line. */
function longestRun(text: string): number {
  let longest = 0;
  for (let at = 0; at >= 0 && at < text.length;) {
    let end = at;
    while (text.charCodeAt(end) === 0x7e) end++;
    longest = Math.max(longest, end - at);
    const next = text.indexOf("\n", end);
    at = next < 0 ? -1 : next + 1;
  }
  return longest;
}
