import type { Redacted } from "../../../contract/redacted.ts";
import type { ExportFile, LearnParts } from "../ports.ts";

/** Where the text of an export goes: into a new file, or to who asked for it. */
export class TextOutput {
  readonly path: string | undefined;
  readonly #file: ExportFile | undefined;
  #pending = "";

  private constructor(path: string | undefined, file: ExportFile | undefined) {
    this.path = path;
    this.#file = file;
  }

  static async open(parts: LearnParts, path: string | undefined): Promise<TextOutput> {
    return new TextOutput(path, path === undefined ? undefined : (await parts.files()).newFile(path));
  }

  write(text: Redacted<string>): void {
    if (this.#file) this.#file.write(text);
    else this.#pending += text;
  }

  /** What was written and goes to who asked. */
  *taken(): Generator<{ text: string }> {
    if (this.#pending !== "") yield { text: this.#pending };
    this.#pending = "";
  }

  close(): void {
    this.#file?.close();
  }

  discard(): void {
    this.#file?.discard();
  }
}
