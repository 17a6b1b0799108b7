import type { Period, PeriodRequest } from "../../contract/api/session-period.ts";
import { ClewError } from "../../contract/errors.ts";
import type { ExportFormat } from "../../contract/report-values.ts";
import type { Item } from "../../session/items.ts";
import { parseItems } from "../../session/parse.ts";
import { PeriodFold } from "../../session/period.ts";
import { unreadableCodes } from "./indexed-session.ts";
import { readPeriod, rowsOfPeriod } from "./list.ts";
import type { SessionParts } from "./parts.ts";

/** What the sessions of a period add up to: figures from the index, calls and failures from their files, read one by one. */
export async function periodOf(parts: SessionParts, request: PeriodRequest): Promise<Period> {
  const { filter, end } = readPeriod(request, parts.clock.now());
  const fold = new PeriodFold();
  for (const row of await rowsOfPeriod(parts, request)) fold.add(row, await itemsOf(parts, row.session_id));
  return fold.result(filter.since ?? null, end);
}

/** None of a session that was put away or damaged since the index was made. */
async function itemsOf({ records }: SessionParts, id: string): Promise<Item[]> {
  try {
    const { text, bodyStart } = await records.read(id);
    return parseItems(text.slice(bodyStart));
  } catch (error) {
    if (error instanceof ClewError && unreadableCodes.has(error.code)) return [];
    throw error;
  }
}

/** A period as one text for people. */
export async function renderPeriod(period: Period, format: ExportFormat): Promise<string> {
  if (format === "html") return (await import("../../session/export/period-html.ts")).periodPage(period);
  return (await import("../../session/export/period-markdown.ts")).periodMarkdown(period);
}
