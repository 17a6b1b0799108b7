import { createHash } from "node:crypto";
import { ClewError } from "../../contract/errors.ts";
import type { Json } from "../../contract/grimoire.ts";
import { longestInlineBytes, type StoredFile, type StoredResult } from "../../contract/run-fields.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { StepResult } from "../../contract/run.ts";
import type { Disk } from "../files/disk.ts";
import { runPaths } from "../layout/run-paths.ts";

const fields = ["output", "outputs", "stderr"] as const;

export type OutputFiles = ReturnType<typeof outputFiles>;

/** Long outputs of one run, each in a file named by the hash of its bytes. */
export function outputFiles(disk: Disk, folder: string) {
  const pathOf = ({ sha256 }: StoredFile): string => runPaths.output(folder, sha256);

  function write(value: Json): StoredFile {
    const as = typeof value === "string" ? "text" : "json";
    const bytes = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
    const file: StoredFile = { sha256: hashOf(bytes), bytes: bytes.length, as };
    disk.makeFolder(folder);
    // A file of the right size has the same bytes; a file that a power cut emptied is written again.
    if (disk.stamp(pathOf(file))?.size !== bytes.length) disk.replace(pathOf(file), bytes, 0o600);
    return file;
  }

  function read(file: StoredFile): Json {
    const path = pathOf(file);
    const bytes = disk.read(path);
    if (bytes?.length !== file.bytes || hashOf(bytes) !== file.sha256) {
      throw new ClewError("damaged_run", `${path} is missing or was changed`, "bring it back, or cancel the run");
    }
    const text = bytes.toString("utf8");
    return file.as === "text" ? text : (JSON.parse(text) as Json);
  }

  return {
    /** Long values are on disk when this returns, so that the journal may name their files. */
    store(result: Redacted<StepResult>): Redacted<StoredResult> {
      const stored: Redacted<StoredResult> = { ...result };
      for (const field of fields) {
        const value = result[field];
        if (value === undefined || isShort(value)) continue;
        delete stored[field];
        stored[`${field}_file`] = write(value);
      }
      return stored;
    },

    load(stored: StoredResult): StepResult {
      const { output_file, outputs_file, stderr_file, ...result } = stored;
      return {
        ...result,
        output: output_file ? read(output_file) : (stored.output ?? null),
        ...(outputs_file && { outputs: read(outputs_file) }),
        ...(stderr_file && { stderr: read(stderr_file) as string }),
      };
    },
  };
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Cheap for nearly all values: only those that could be long are measured. */
function isShort(value: Json): boolean {
  if (typeof value === "string")
    return value.length * 3 <= longestInlineBytes || Buffer.byteLength(value) <= longestInlineBytes;
  if (typeof value !== "object" || value === null) return true;
  return Buffer.byteLength(JSON.stringify(value)) <= longestInlineBytes;
}
