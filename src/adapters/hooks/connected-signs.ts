import { readdirSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../text/attempt.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";
import { limits } from "../files/limits.ts";
import { readRegular } from "../files/regular-file.ts";
import { hookPaths } from "../layout/hook-paths.ts";

/** What is to be known of connected agents before more is loaded. */
export interface ConnectedSigns {
  /** There may be one at work. */
  isAny: boolean;
  /** A step requires calls that hooks have to see. */
  wantsEvidence: boolean;
  /** A run began with rules that its agent is held to. */
  hasRules: boolean;
}

/** One look into a folder, and into the small files there, of which there are few. */
export function connectedSigns(home: string): ConnectedSigns {
  const folder = hookPaths.wantedFolder(home);
  const names = attempt(() => readdirSync(folder), []).filter((name) => name.endsWith(".json"));
  const wanted = names.map((name) => parseJson(textOf(join(folder, name))));
  return {
    isAny: names.length > 0,
    wantsEvidence: wanted.some((each) => isObject(each) && Array.isArray(each["gates"]) && each["gates"].length > 0),
    // What cannot be read may be about rules.
    hasRules: wanted.some((each) => !isObject(each) || each["rules"] === true),
  };
}

function textOf(path: string): string {
  return attempt(() => readRegular(path, limits.settings).toString("utf8"), "");
}
