import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Folder } from "./folders.ts";
import { Repo } from "./repo.ts";

const fixtures = resolve(import.meta.dirname, "../fixtures/transcripts");

/** What `clew session import --json` tells. */
export interface Imported {
  imported: number;
  continued: number;
  unchanged: number;
  skipped: { path: string; reason: string }[];
  sessions: string[];
}

/** A repository, and a home folder in which engines left transcripts of their work in it. */
export class ImportRepo extends Repo {
  readonly #home = new Folder();

  /** Below a folder of its own choice, or that of the machine. */
  constructor(base?: string) {
    super(base);
    Object.assign(this.env, { HOME: this.userHome, CLAUDE_CONFIG_DIR: "", CODEX_HOME: "", XDG_DATA_HOME: "" });
  }

  get userHome(): string {
    return this.#home.path;
  }

  override [Symbol.dispose](): void {
    super[Symbol.dispose]();
    this.#home[Symbol.dispose]();
  }

  /** The lines of a fixture, as if the engine had worked in this repository. */
  fixture(name: string): string[] {
    const text = readFileSync(join(fixtures, `${name}.jsonl`), "utf8").trimEnd();
    return text.replaceAll('"/repo"', JSON.stringify(this.root)).split("\n");
  }

  /** Writes a file below the home folder. */
  leave(path: string, lines: string[]): string {
    const file = join(this.userHome, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    return file;
  }

  /** Where Claude puts the transcripts of this repository. */
  claudePath(name: string, folder = this.root): string {
    return join(".claude/projects", folder.replace(/[^A-Za-z0-9]/g, "-"), name);
  }

  append(file: string, text: string): void {
    appendFileSync(file, text);
  }

  import(...args: string[]): Promise<Imported> {
    return this.json<Imported>("session", "import", ...args);
  }
}

/** Lines of Claude Code, made for a test. */
export class ClaudeLines {
  readonly #about: { cwd: string; session: string };
  #seconds = 0;
  #number = 0;

  constructor(cwd: string, session: string) {
    this.#about = { cwd, session };
  }

  #line(fields: object): string {
    const { cwd, session } = this.#about;
    const timestamp = new Date(Date.parse("2026-11-15T10:00:00Z") + 1000 * this.#seconds++).toISOString();
    const uuid = `u-${session}-${this.#number++}`;
    return JSON.stringify({
      parentUuid: null,
      isSidechain: false,
      ...fields,
      uuid,
      timestamp,
      cwd,
      sessionId: session,
    });
  }

  user(content: unknown, more: object = {}): string {
    return this.#line({ type: "user", message: { role: "user", content }, ...more });
  }

  agent(id: string, block: object, usage: object = {}): string {
    const counts = { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 0, ...usage };
    const message = { id, role: "assistant", model: "claude-sonnet-4-5", content: [block], usage: counts };
    return this.#line({ type: "assistant", message });
  }

  call(id: string, callId: string, name: string, input: object): string {
    return this.agent(id, { type: "tool_use", id: callId, name, input });
  }

  result(callId: string, content: unknown, isError = false): string {
    return this.user([{ type: "tool_result", tool_use_id: callId, content, is_error: isError }], {
      toolUseResult: { stdout: content },
    });
  }

  other(fields: object): string {
    return this.#line(fields);
  }
}
