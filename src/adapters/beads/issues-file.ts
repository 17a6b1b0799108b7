import { statSync } from "node:fs";
import { join } from "node:path";
import type { BeadReader } from "../../app/definitions-port.ts";
import type { Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";

const newline = 0x0a;
const shown = ".beads/issues.jsonl";

/** Reads `.beads/issues.jsonl`: one bead a line, unchanged. Only lines that could be the one asked for are parsed. */
export function issuesFile(disk: Disk, root: string): BeadReader {
  const file = join(root, ".beads", "issues.jsonl");
  const read = (): Buffer => {
    const stats = statSync(file, { throwIfNoEntry: false });
    // Reading a pipe would wait for ever.
    if (stats && !stats.isFile()) throw damaged(`${shown} is not a file`, "beads stand there, one a line");
    return (stats && disk.read(file)) ?? Buffer.alloc(0);
  };
  return {
    find(id) {
      const bytes = read();
      const wanted = JSON.stringify(id);
      let at = bytes.lastIndexOf(wanted);
      // From the end, because a later line of the same id is the newer one.
      while (at >= 0) {
        const start = at === 0 ? 0 : bytes.lastIndexOf(newline, at - 1) + 1;
        const end = bytes.indexOf(newline, at);
        const bead = parseLine(bytes.toString("utf8", start, end < 0 ? bytes.length : end), () => {
          const line = countLines(bytes, start) + 1;
          return damaged(
            `${shown}:${line}: not a JSON object`,
            `mend or remove that line; git log -p -- ${shown} shows how it was`,
          );
        });
        if (bead?.id === id) return bead.status === "tombstone" ? undefined : bead;
        at = start === 0 ? -1 : bytes.lastIndexOf(wanted, start - 1);
      }
      return undefined;
    },

    ids() {
      const ids: string[] = [];
      for (const line of read().toString("utf8").split("\n")) {
        const id = /"id"\s*:\s*"([^"\\]+)"/.exec(line)?.[1];
        if (id !== undefined) ids.push(id);
      }
      return ids;
    },
  };
}

function damaged(message: string, hint: string): ClewError {
  return new ClewError("damaged_beads", message, hint);
}

function parseLine(line: string, refusal: () => ClewError): Bead | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refusal();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refusal();
  const fields = value as Record<string, unknown>;
  // Other records than issues name their kind.
  if (fields["_type"] !== undefined && fields["_type"] !== "issue") return undefined;
  if (typeof fields["id"] !== "string") return undefined;
  return { title: "", ...fields } as Bead;
}

function countLines(bytes: Buffer, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0 && at < end; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}
