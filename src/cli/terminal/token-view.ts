import type { ListedToken } from "../../contract/api/daemon.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { table, type Column } from "./table.ts";
import { localTime } from "./time.ts";

const columns: Column[] = [
  { title: "ID", isId: true },
  { title: "NAME", givesWay: 1, least: 8 },
  { title: "MAY" },
  { title: "CREATED" },
  { title: "EXPIRES" },
];

export function viewTokens(screen: Screen, tokens: ListedToken[]): string {
  if (tokens.length === 0) return "There are no tokens. clew daemon token makes one.";
  const { colors } = screen;
  return table(
    screen,
    columns,
    tokens.map(({ id, name, read_only, hooks_only, created, expires, is_expired }) => [
      id,
      cleanLine(name ?? ""),
      hooks_only ? "tell hooks" : read_only ? "read" : "all",
      localTime(created),
      is_expired ? { text: "expired", paint: colors.red } : expires === null ? "never" : localTime(expires),
    ]),
  );
}
