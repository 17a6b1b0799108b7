import { createHash } from "node:crypto";
import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { Json } from "../../contract/grimoire.ts";
import { longestInlineBytes, type StoredFile, type StoredResult } from "../../contract/run-fields.ts";
import { assumeRedacted, type Redacted } from "../../contract/redacted.ts";
import type { StepResult } from "../../contract/run.ts";
import type { Disk } from "../files/disk.ts";

const fields = ["output", "outputs", "stderr"] as const;

/** Long outputs of one run, each in a file named by the hash of its bytes. */
export class OutputFiles {
  readonly #disk: Disk;
  readonly #folder: string;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  /** What is long is on disk when this returns, so that the line that names it may be written. */
  store(result: Redacted<StepResult>): Redacted<StoredResult> {
    const stored: StoredResult = { ...result };
    for (const field of fields) {
      const value = result[field];
      if (value === undefined || isShort(value)) continue;
      delete stored[field];
      stored[`${field}_file`] = this.#write(value);
    }
    return assumeRedacted(stored);
  }

  load(stored: StoredResult): StepResult {
    const { output_file, outputs_file, stderr_file, ...result } = stored;
    return {
      ...result,
      output: output_file ? this.#read(output_file) : (stored.output ?? null),
      ...(outputs_file && { outputs: this.#read(outputs_file) }),
      ...(stderr_file && { stderr: this.#read(stderr_file) as string }),
    };
  }

  /** Where a long output stands. */
  path({ sha256 }: StoredFile): string {
    return join(this.#folder, `${sha256}.txt`);
  }

  #write(value: Json): StoredFile {
    const as = typeof value === "string" ? "text" : "json";
    const bytes = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
    const file: StoredFile = { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length, as };
    this.#disk.makeFolder(this.#folder);
    // The same bytes are there already when their size is right; a file that a power cut emptied is written again.
    if (this.#disk.stamp(this.path(file))?.size !== bytes.length) this.#disk.replace(this.path(file), bytes, 0o600);
    return file;
  }

  #read(file: StoredFile): Json {
    const path = this.path(file);
    const bytes = this.#disk.read(path);
    if (bytes?.length !== file.bytes || createHash("sha256").update(bytes).digest("hex") !== file.sha256) {
      throw new ClewError("damaged_run", `${path} is missing or was changed`, "bring it back, or cancel the run");
    }
    const text = bytes.toString("utf8");
    return file.as === "text" ? text : (JSON.parse(text) as Json);
  }
}

/** Cheap for nearly all values: only what could be long is measured. */
function isShort(value: Json): boolean {
  if (typeof value === "string") {
    if (value.length * 3 <= longestInlineBytes) return true;
    return Buffer.byteLength(value) <= longestInlineBytes;
  }
  if (typeof value !== "object" || value === null) return true;
  return Buffer.byteLength(JSON.stringify(value)) <= longestInlineBytes;
}
