import { join, relative, sep } from "node:path";
import { isSessionId } from "../../session/session-id.ts";
import type { Disk } from "../files/disk.ts";
import { limits } from "../files/limits.ts";
import type { Layout } from "../layout.ts";

const remark = "# Sessions that were imported on this machine; clew session share ID lets git see one.";

/** Imported sessions are hidden from git, each by a line in its `info/exclude`, until somebody shares them. */
export function hiddenSessions(disk: Disk, layout: Layout, commonDir: string) {
  const file = join(commonDir, "info", "exclude");
  const folder = relative(layout.root, layout.sessions).split(sep).join("/");
  // What git would read as a pattern in the folder's name.
  const prefix = `/${folder.replace(/[\\*?[\]!#]/g, "\\$&")}/`;
  const ruleOf = (id: string): string => `${prefix}${id}/`;
  const read = (): string => disk.read(file, limits.file)?.toString("utf8") ?? "";
  let lines: Set<string> | undefined;

  return {
    hide(id: string): void {
      if (!lines) {
        const text = read();
        lines = new Set(text.split("\n"));
        disk.makeFolder(join(commonDir, "info"));
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
      const text = read();
      const rules = new Map(ids.filter(isSessionId).map((id) => [ruleOf(id), id]));
      const kept = text.split("\n").filter((line) => !rules.has(line));
      const shared = text.split("\n").flatMap((line) => rules.get(line) ?? []);
      if (shared.length > 0) disk.replace(file, Buffer.from(kept.join("\n")));
      lines = undefined;
      return shared;
    },
  };
}
