import { ClewError } from "../../contract/errors.ts";
import type { Redacted } from "../../contract/redacted.ts";
import { turnLine, type TurnLine } from "../../contract/turn.ts";
import { escapedControls } from "../../text/controls.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { Disk } from "../files/disk.ts";

const maxBytes = 64 * 1024 * 1024;

/** `turns.jsonl`: appended to, never changed. A last line that a crash cut off does not count. */
export class TurnLines {
  readonly #disk: Disk;
  readonly #path: string;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  /** Throws a ClewError when a line in the middle cannot be read. */
  read(): TurnLine[] {
    const { lines, problem } = this.readable();
    if (problem) throw problem;
    return lines;
  }

  /** The lines that can be read, and what is wrong with the others. */
  readable(): { lines: TurnLine[]; problem?: ClewError } {
    const rows = this.#bytes().toString("utf8").split("\n");
    const last = rows.pop()!;
    const parsed = rows.map((row) => (row.trim() === "" ? undefined : turnLine.safeParse(parseJson(row))));
    const lines = parsed.flatMap((each) => (each?.success ? [each.data] : []));
    const wrong = parsed.flatMap((each, at) => (each && !each.success ? [at + 1] : []));
    // An editor may have left out the last newline; half a line is none.
    const whole = turnLine.safeParse(parseJson(last));
    if (whole.success) lines.push(whole.data);
    return wrong.length === 0 ? { lines } : { lines, problem: this.#damaged(wrong) };
  }

  /** On disk when it returns. */
  append(line: Redacted<TurnLine>): void {
    this.#disk.append(this.#path, Buffer.from(`${escapedControls(JSON.stringify(turnLine.parse(line)))}\n`), 0o644);
    this.#disk.syncNow(this.#path);
  }

  /** Ends the last line, or takes it back when it is half. */
  mend(): void {
    const bytes = this.#bytes();
    const wholeBytes = bytes.lastIndexOf("\n") + 1;
    if (wholeBytes === bytes.length) return;
    const last = bytes.toString("utf8", wholeBytes);
    if (turnLine.safeParse(parseJson(last)).success) this.#disk.append(this.#path, Buffer.from("\n"));
    else this.#disk.truncate(this.#path, wholeBytes);
    this.#disk.syncNow(this.#path);
  }

  #bytes(): Buffer {
    return this.#disk.read(this.#path, maxBytes) ?? Buffer.alloc(0);
  }

  #damaged([first, ...others]: number[]): ClewError {
    const more = others.length === 0 ? "" : `; line ${others.slice(0, 20).join(", ")} neither`;
    return new ClewError(
      "damaged_session",
      `${this.#path}:${first}: this is no line about a turn${more}`,
      "put the line back as it was (git log -p shows it); docs/formats/turns.md says what each line is",
    );
  }
}
