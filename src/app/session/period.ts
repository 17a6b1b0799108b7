import type { Period, PeriodRequest } from "../../contract/api/session-period.ts";
import { ClewError } from "../../contract/errors.ts";
import type { ExportFormat } from "../../contract/report-values.ts";
import type { Item } from "../../session/items.ts";
import { parseItems } from "../../session/parse.ts";
import { PeriodFold } from "../../session/period.ts";
import { unreadableCodes } from "./indexed-session.ts";
import { toIndexFilter, bringIndexUpToDate, instantOf } from "./list.ts";
import type { SessionParts } from "./parts.ts";

/** What the sessions of a period add up to: figures from the index, calls and failures from their files, read one by one. */
export async function periodOf(parts: SessionParts, { until, ...filters }: PeriodRequest): Promise<Period> {
  const nowMs = parts.clock.now();
  const filter = toIndexFilter(filters, nowMs);
  const end = until === undefined ? null : instantOf("until", until, nowMs);
  if (end !== null && filter.since !== undefined && end <= filter.since)
    throw new ClewError("invalid_input", `until (${end}) is not after since (${filter.since})`, "turn them round");
  await bringIndexUpToDate(parts);
  await parts.projections.warnOfUnreadable();
  const rows = await parts.projections.ask((index) => index.newest(filter, Infinity));
  const fold = new PeriodFold();
  for (const row of rows) {
    if (end !== null && Date.parse(row.started) >= Date.parse(end)) continue;
    fold.add(row, await itemsOf(parts, row.session_id));
  }
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
