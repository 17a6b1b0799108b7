import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../../text/attempt.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";
import { limits } from "../files/limits.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { readRegular } from "../files/regular-file.ts";
import { userConfigFolder, type Env } from "../layout/user-paths.ts";

/** Files of repositories whose loosening the user trusts, each as it stood then: the hash of its text. */
export interface TrustedFiles {
  has(file: string, hash: string): boolean;
  /** Undefined takes the trust back. Synced when it returns. */
  set(file: string, hash: string | undefined): void;
}

export function trustedFiles(env: Env): TrustedFiles {
  const path = join(userConfigFolder(env), "clew", "trusted.json");
  const read = (): Record<string, unknown> => {
    const value = parseJson(attempt(() => readRegular(path, limits.settings).toString("utf8"), "{}"));
    return isObject(value) ? value : {};
  };
  return {
    has: (file, hash) => Object.hasOwn(read(), file) && read()[file] === hash,
    set(file, hash) {
      const { [file]: _, ...others } = read();
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const text = JSON.stringify({ ...others, ...(hash !== undefined && { [file]: hash }) }, undefined, 2);
      nodeDisk.replace(path, Buffer.from(`${text}\n`));
    },
  };
}
