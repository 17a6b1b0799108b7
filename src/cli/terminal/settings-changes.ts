import type { ConnectionChange, ConnectionStanding } from "../../contract/api/connection.ts";
import type { Terminal } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { table, type Column } from "./table.ts";

type Shown = Pick<ConnectionChange, "engine" | "path" | "change" | "diff"> & { note?: string; notes?: string[] };

const words: Record<Shown["change"], [done: string, planned: string]> = {
  made: ["made", "would be made"],
  changed: ["changed", "would be changed"],
  removed: ["removed", "would be removed"],
  none: ["as it was", "as it is"],
};

/** What became of the settings of engines; with the lines of each change where it is only planned. */
export function viewChanges(settings: readonly Shown[], isPlanned: boolean): string {
  return settings
    .map(({ engine, path, change, diff, note, notes = [] }) => {
      const [done, planned] = words[change];
      const lines = [`${engine}: ${cleanLine(path)} ${isPlanned ? planned : done}`];
      if (isPlanned) lines.push(...diff.map((line) => `  ${cleanLine(line)}`));
      for (const each of note === undefined ? notes : [note]) lines.push(`  ${cleanLine(each)}`);
      return `${lines.join("\n")}\n`;
    })
    .join("");
}

type Listed = Pick<ConnectionStanding, "engine" | "scope" | "path" | "problem"> & { status: string };

/** Which settings of engines have what `title` names. */
export function viewSettings(terminal: Terminal, title: string, settings: readonly Listed[]): string {
  const columns: Column[] = [
    { title: "ENGINE", isId: true },
    { title: "SCOPE" },
    { title },
    { title: "FILE", givesWay: 1 },
  ];
  const rows = settings.map(({ engine, scope, status, path, problem }) => [
    engine,
    scope,
    status,
    cleanLine(problem ?? path),
  ]);
  return table(terminal, columns, rows);
}
