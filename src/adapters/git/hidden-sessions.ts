import { dirname, relative, sep } from "node:path";
import { isSessionId } from "../../session/session-id.ts";
import type { Disk } from "../files/disk.ts";
import type { Layout } from "../layout.ts";
import { excludePath, readExclude } from "./exclude.ts";

const remark = "# Sessions that were imported on this machine; clew session share ID lets git see one.";

/** Imported sessions are hidden from git, each by a line in its `info/exclude`, until they are shared. */
export function hiddenSessions(disk: Disk, layout: Layout, commonDir: string) {
  const file = excludePath(commonDir);
  const folder = relative(layout.root, layout.sessions).split(sep).join("/");
  // What git would read as a pattern in the folder's name.
  const prefix = `/${folder.replace(/[\\*?[\]!#]/g, "\\$&")}/`;
  const ruleOf = (id: string): string => `${prefix}${id}/`;
  let lines: Set<string> | undefined;

  return {
    hide(id: string): void {
      if (!lines) {
        const text = readExclude(disk, commonDir);
        lines = new Set(text.split("\n"));
        disk.makeFolder(dirname(file));
        const separator = text === "" || text.endsWith("\n") ? "" : "\n";
        if (!lines.has(remark)) disk.append(file, Buffer.from(`${separator}${remark}\n`), 0o644);
        else if (separator !== "") disk.append(file, Buffer.from(separator), 0o644);
        lines.add(remark);
      }
      const rule = ruleOf(id);
      if (lines.has(rule)) return;
      lines.add(rule);
      disk.append(file, Buffer.from(`${rule}\n`), 0o644);
    },

    share(ids: string[]): string[] {
      const text = readExclude(disk, commonDir);
      const rules = new Map(ids.filter(isSessionId).map((id) => [ruleOf(id), id]));
      const kept = text.split("\n").filter((line) => !rules.has(line));
      const shared = text.split("\n").flatMap((line) => rules.get(line) ?? []);
      if (shared.length > 0) disk.replace(file, Buffer.from(kept.join("\n")));
      lines = undefined;
      return shared;
    },
  };
}
