import { constants } from "node:fs";
import type { RehydrationLog } from "../../app/rehydrate/ports.ts";
import { rehydrationLine } from "../../contract/rehydration.ts";
import { fromRedacted } from "../../contract/redacted.ts";
import { parseJson } from "../../text/parse-json.ts";
import { appendLine } from "../hooks/append-line.ts";
import { rehydrationPath } from "../layout/rehydration-path.ts";
import { readAll, withRegular } from "./regular-file.ts";

/** A run whose agents lose their context more often is out of hand. */
const maxBytes = 16 * 1024 * 1024;

/** What agents were told of where they stand, one file for each run or session. */
export function rehydrationFiles(home: string): RehydrationLog {
  return {
    add(owner, line) {
      const json = fromRedacted(line, (each) => JSON.stringify(each));
      appendLine(rehydrationPath(home, owner), json);
    },
    lines(owner) {
      return textOf(rehydrationPath(home, owner))
        .split("\n")
        .flatMap((text) => {
          const { data } = rehydrationLine.safeParse(text === "" ? undefined : parseJson(text));
          return data ? [data] : [];
        });
    },
  };
}

function textOf(path: string): string {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
    return withRegular(path, flags, 0, (fd, stats) => readAll(fd, stats, path, maxBytes)).toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
