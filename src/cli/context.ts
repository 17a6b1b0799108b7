import type { Api } from "../contract/api/api.ts";
import type { McpFront } from "../contract/mcp.ts";
import type { Colors } from "./terminal/colors.ts";

/** What a command has to do with: the program behind it, and the terminal or pipes around it. */
export interface CliContext {
  /** All that a command may ask of the program. */
  api: Api;
  program: ProgramParts;
  env: Record<string, string | undefined>;
  cwd: string;
  terminal: Terminal;
  output: Output;
  input: Input;
  /** The exit code of a command that does not throw. */
  exitCode: number;
}

/** What the program has beside its operations. */
export interface ProgramParts {
  version: string;
  /** The MCP server, which only one command runs. */
  mcp: McpFront;
}

/** What a view has to know of the terminal. */
export interface Screen {
  colors: Colors;
  /** Columns of the terminal, or of a page when the output goes elsewhere. */
  width: number;
  /** A person looks at what is written to stdout. */
  onTerminal: boolean;
  nowMs: () => number;
}

export interface Terminal extends Screen {
  /** For what is written to stderr. */
  errorColors: Colors;
  errorScreen: Pick<Screen, "width" | "onTerminal">;
  /** Lines can be drawn again in place, and cleared. */
  canRedraw: boolean;
}

export interface Output {
  /**
   * Writes to stdout and waits until it is taken. Text is for people: no control character in it takes effect but the
   * program's own. Bytes are data, which a pipe gets as they are.
   */
  write(text: string | Uint8Array): Promise<void>;
  /** Writes a value as one line of JSON. */
  writeJson(value: unknown): Promise<void>;
  /** Long texts go through a pager where a person looks at them. */
  hasPager: boolean;
  /** Writes a text that may be longer than the screen: on a terminal, through the person's pager then. */
  page(text: string): Promise<void>;
  /** The same for a text that comes in pieces. */
  openPager(): Promise<PagedWriter>;
  /** A line for the person at the terminal, on stderr. */
  say: (line: string) => void;
  /** A line at the bottom of the terminal, until anything else is written. */
  sayForNow: (line: string) => void;
  /** Shows no progress from now on: other things are drawn, or lines come one by one. */
  muteProgress(): void;
}

/** What comes from the person, the pipe, or a file that was named. */
export interface Input {
  /** A person sits at both ends: prompts are allowed. */
  interactive: boolean;
  /** Asks a yes-or-no question; only when `interactive`. */
  confirm(question: string): Promise<boolean>;
  /**
   * Asks for one line; only when `interactive`. Undefined when there is none to come, or when `signal` is aborted, which
   * leaves the question unanswered on the screen.
   */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** Shows a hint and waits for Enter; only when `interactive`. False when the person leaves instead. */
  waitForEnter(hint: string): Promise<boolean>;
  /** Resolves at Ctrl-C, SIGTERM or SIGHUP. From the first call on, these no longer end the program by themselves. */
  untilInterrupted(): Promise<NodeJS.Signals>;
  /** Ctrl-C belongs to the program that `work` shows on the terminal, such as an editor. */
  lendTerminal<T>(work: () => Promise<T>): Promise<T>;
  /** Nothing more is read: a stdin that stays open must not keep the program alive. */
  closeStdin(): void;
  /** All of stdin. */
  readStdin(): Promise<Buffer>;
  /** Lines of stdin, as many at once as have arrived; null for one that is too long to keep in memory. */
  stdinLines(): AsyncIterable<(string | null)[]>;
  /** The bytes of a plain file that a person named. Throws a ClewError with what is wrong with it. */
  readFile(path: string): Uint8Array;
}

/** A text that comes in pieces, for the screen or a pager. */
export interface PagedWriter {
  write(text: string): Promise<void>;
  /** False once the person has left the pager: more is of no use. */
  isRead(): Promise<boolean>;
  /** Resolves when the person has left the pager. */
  end(): Promise<void>;
}

/** What most commands take: `--json`. */
export interface JsonOption {
  json?: boolean;
}

/** One document: JSON for scripts, or what `text` makes of it for people. */
export async function print(
  output: Pick<Output, "writeJson" | "page">,
  json: boolean | undefined,
  value: unknown,
  text: () => string,
): Promise<void> {
  if (json) return output.writeJson(value);
  const shown = text();
  if (shown !== "") await output.page(shown.endsWith("\n") ? shown : `${shown}\n`);
}
