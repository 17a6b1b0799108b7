import { note } from "../../engine/transcript/about.ts";
import type { TranscriptReader } from "../../engine/transcript/event.ts";
import { objectIn } from "../../engine/read-fields.ts";
import { readTrimmed } from "../git/checkout.ts";

/** What the file beside a subagent's transcript tells of it: Claude's and Qwen's have the same form. */
export function agentMeta(path: string, reader: TranscriptReader): TranscriptReader {
  if (!/\/agent-[^/]*$/.test(path)) return reader;
  const fields = objectIn(readTrimmed(path.replace(/\.jsonl$/, ".meta.json")) ?? "");
  if (fields) note(reader.about, { agent: fields.agentType, title: fields.description, call: fields.toolUseId });
  return reader;
}
