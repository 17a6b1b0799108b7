import { constants, existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { HookSpools, OpenSpool } from "../../app/hook/ports.ts";
import type { HookLine } from "../../contract/hook.ts";
import { importedEngines } from "../../contract/import-values.ts";
import { attempt } from "../../text/attempt.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";
import { readRange, withRegular } from "../files/regular-file.ts";
import { hookPaths, isSpoolId, type SpoolName } from "../layout/hook-paths.ts";
import { markOpen, openMarks } from "./open-marks.ts";
import { maxLineChars } from "../../hook/payload.ts";

/** Most lines are shorter; where the last is not, as much is read as a line may have. */
const tailBytes = [16 * 1024, 4 * maxLineChars];

/** The spools of one repository. */
export function hookSpools(home: string): HookSpools {
  const openSpool = (name: SpoolName): OpenSpool[] => {
    const engine = importedEngines.find((each) => each === name.engine);
    const path = hookPaths.spool(home, name);
    const stats = engine && attempt(() => lstatSync(path), undefined);
    if (!stats?.isFile()) return [];
    const { size: bytes, mtimeMs: writtenMs } = stats;
    return [{ engine: engine!, session: name.session, path, bytes, writtenMs, taken: takenPart(home, name) }];
  };
  return {
    open() {
      return openMarks(home).flatMap(openSpool);
    },
    standing({ path, bytes }) {
      const first = linesIn(path, 0, Math.min(bytes, tailBytes[0]!))[0];
      const last = lastLine(path, bytes);
      const transcript = first?.hook["transcript_path"];
      return {
        isOver: last?.event === "SessionEnd",
        transcript: typeof transcript === "string" && transcript !== "" ? transcript : undefined,
        beganMs: Date.parse(first?.at ?? "") || 0,
      };
    },
    note(spool, taken) {
      attempt(() => writeFileSync(hookPaths.open(home, spool), JSON.stringify(taken), { mode: 0o600 }), undefined);
    },
    close(spool) {
      rmSync(hookPaths.open(home, spool), { force: true });
      // A hook may have added a line since it was looked at, and seen the mark.
      const [now] = openSpool(spool);
      if (now && now.bytes !== spool.bytes) markOpen(home, spool);
    },
    remove(spool) {
      rmSync(spool.path, { force: true });
      rmSync(hookPaths.open(home, spool), { force: true });
    },
    sessionOf: (engine, session) =>
      isSpoolId(session) ? (takenPart(home, { engine, session })?.session ?? undefined) : undefined,
    mayBeWritten: (transcript) => !existsSync(transcript) && existsSync(dirname(transcript)),
  };
}

/** A mark that a hook just made says nothing yet. */
function takenPart(home: string, name: SpoolName): OpenSpool["taken"] {
  const value = parseJson(attempt(() => readFileSync(hookPaths.open(home, name), "utf8"), ""));
  if (!isObject(value) || typeof value["bytes"] !== "number") return undefined;
  return { bytes: value["bytes"], session: typeof value["session"] === "string" ? value["session"] : null };
}

function lastLine(path: string, bytes: number): HookLine | undefined {
  for (const length of tailBytes) {
    const line = linesIn(path, Math.max(0, bytes - length), bytes).at(-1);
    if (line || length >= bytes) return line;
  }
  return undefined;
}

/** The whole lines in a part of a file. */
function linesIn(path: string, start: number, end: number): HookLine[] {
  const text = withRegular(path, constants.O_RDONLY | constants.O_NOFOLLOW, 0, (fd) => readRange(fd, start, end));
  return text
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const value = line === "" ? undefined : parseJson(line);
      return isObject(value) && isObject(value["hook"]) ? [value as unknown as HookLine] : [];
    });
}
