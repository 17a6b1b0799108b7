import { constants, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Redacted } from "../../contract/redacted.ts";
import { attempt } from "../../text/attempt.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";
import { isMissing } from "../files/failure.ts";
import { limits } from "../files/limits.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { readAll, withRegular } from "../files/regular-file.ts";
import { userStateFolder, type Env } from "../layout/user-paths.ts";
import type { FileRules } from "./policy-layers.ts";

const maxNameChars = 240;

/** What a file of settings was read as, so that hooks need not read YAML at each call. */
export interface RuleMemory {
  /** Undefined when the file is another by now, or when what is kept may be anyone's: then it has to be read. */
  find(file: string): FileRules | undefined;
  /** What identifies the file as it is now; to be taken before it is read. */
  stampOf(file: string): string | undefined;
  /** Keeps what was read of the file with this stamp, where it can. */
  keep(file: string, stamp: string | undefined, rules: Redacted<FileRules>): void;
}

/**
 * It stands in the user's own folder, beside the keys: who can write there can write the user's settings as well. A file that was
 * changed within `settledMs` is not kept: it may be changed once more without a sign of it.
 */
export function ruleMemory(env: Env, version: string, settledMs = 2_000): RuleMemory {
  const pathOf = (file: string): string => join(userStateFolder(env), "policies", `${encodeURIComponent(file)}.json`);
  return {
    find(file) {
      const stamp = stampOf(file);
      if (stamp === missing) return { rules: [], lines: [] };
      const kept = parseJson(attempt(() => readOwn(pathOf(file)), ""));
      const isSame = isObject(kept) && stamp !== undefined && kept["stamp"] === stamp && kept["version"] === version;
      return isSame ? rulesOf(kept["rules"] as FileRules) : undefined;
    },
    stampOf,
    keep(file, stamp, rules) {
      const isSettled =
        stamp !== undefined && stamp !== missing && stamp === stampOf(file) && hasSettled(file, settledMs);
      if (!isSettled || encodeURIComponent(file).length > maxNameChars) return;
      const text = JSON.stringify({ version, stamp, rules });
      attempt(() => {
        mkdirSync(dirname(pathOf(file)), { recursive: true, mode: 0o700 });
        nodeDisk.replace(pathOf(file), Buffer.from(text), 0o600);
      }, undefined);
    },
  };
}

const missing = "missing";

/** Another one after each change of the file, and after each other file that is put in its place. */
function stampOf(file: string): string | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    return isMissing(error) ? missing : undefined;
  }
}

function hasSettled(file: string, settledMs: number): boolean {
  return Date.now() - statSync(file).ctimeMs > settledMs;
}

/** JSON has no undefined. */
function rulesOf({ lines, ...rules }: FileRules): FileRules {
  return { ...rules, lines: lines.map((line) => line ?? undefined) };
}

/** Throws for what another user may have written. */
function readOwn(path: string): string {
  return withRegular(path, constants.O_RDONLY | constants.O_NOFOLLOW, 0, (fd, stats) => {
    const isOwn = stats.uid === BigInt(process.getuid?.() ?? -1) && (stats.mode & 0o022n) === 0n;
    if (!isOwn) throw new Error(`${path} may be written by others`);
    return readAll(fd, stats, path, limits.settings).toString("utf8");
  });
}
