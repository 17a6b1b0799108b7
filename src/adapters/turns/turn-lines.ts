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
    const rows = this.#bytes().toString("utf8").split("\n");
    const last = rows.pop()!;
    const lines = rows.flatMap((row, at) => (row.trim() === "" ? [] : [this.#parsed(row, at + 1)]));
    // An editor may have left out the last newline; half a line is none.
    const whole = turnLine.safeParse(parseJson(last));
    return whole.success ? [...lines, whole.data] : lines;
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

  #parsed(row: string, number: number): TurnLine {
    const parsed = turnLine.safeParse(parseJson(row));
    if (parsed.success) return parsed.data;
    throw new ClewError(
      "damaged_session",
      `${this.#path}:${number}: this is no line about a turn`,
      "put the line back as it was (git log -p shows it); docs/formats/turns.md says what each line is",
    );
  }
}
