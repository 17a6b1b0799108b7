import { dirname } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Disk } from "./disk.ts";
import { explainErrors } from "./failure.ts";
import { limits } from "./limits.ts";
import { readSavedFile } from "./read-saved-record.ts";
import { realPath } from "./real-path.ts";
import { removeLeftovers } from "./remove-leftovers.ts";
import { retryOnChange } from "./retry-on-change.ts";

/**
 * Appends to a text file that a person wrote, in one replacement, so that a crash leaves the old file or the new one. What was there
 * stays byte for byte. `addition` is asked again when another program changed the file meanwhile.
 */
export function appendToFile(
  disk: Disk,
  { path, displayPath }: { path: string; displayPath: string },
  addition: (text: string) => Redacted<string>,
): Promise<void> {
  // A link stays a link.
  const file = realPath(path);
  return retryOnChange(displayPath, () =>
    explainErrors(file, () => {
      const saved = readSavedFile(disk, file, limits.settings);
      if (!saved) {
        throw new ClewError("invalid_input", `there is no file ${displayPath}`, `look into ${dirname(displayPath)}`);
      }
      const added = addition(decode(saved.bytes, displayPath));
      if (added === "") return;
      removeLeftovers(disk, file);
      disk.replace(file, [saved.bytes, Buffer.from(added)], undefined, saved.stamp);
    }),
  );
}

function decode(bytes: Buffer, displayPath: string): string {
  try {
    return new TextDecoder("utf8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ClewError("invalid_input", `${displayPath} is not UTF-8 text`, "save it as UTF-8", { cause });
  }
}
