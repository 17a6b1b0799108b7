import { fromRedacted, type Redact } from "../../contract/redacted.ts";
import type { SubagentEntry } from "../../contract/session.ts";
import { parseItems } from "../../session/parse.ts";
import { renderItem } from "../../session/render.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import type { RecordWriter } from "./ports.ts";

/**
 * What came of a linked or embedded subagent goes where its callout stands: the count is its session's own; a summary that is there
 * stays. False when nothing was changed.
 */
export async function amendCallout(
  record: RecordWriter,
  session: string,
  { summary, tokens }: Pick<SubagentEntry, "summary" | "tokens">,
  redact: Redact,
): Promise<boolean> {
  const isIts = (item: { kind: string; session?: string }): boolean =>
    item.kind === "subagent" && item.session === session;
  const before = parseItems(await record.body()).findLast(isIts) as SubagentEntry | undefined;
  if (!before) return false;
  const after = redactRecord(
    {
      ...before,
      ...(tokens !== undefined && { tokens }),
      ...(before.summary === undefined && summary !== undefined && { summary }),
    },
    redact,
  );
  const from = renderItem(before, "other");
  const to = fromRedacted(after, (entry) => renderItem(entry, "other"));
  return from !== to && record.amend(from, to);
}
