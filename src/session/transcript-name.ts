/** What the name of an agent's transcript tells: `claude-2026-11-17T142528.000Z-work.jsonl`, or `-work.2.jsonl`. */
export interface TranscriptStart {
  engine: string;
  atMs: number;
  label: string;
}

const form =
  /^([a-z0-9][\w-]{0,63}?)-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z-([\w-]{0,120})(?:\.\d{1,6})?\.jsonl$/i;

/** Undefined when it is no name of a transcript. */
export function transcriptStart(name: string): TranscriptStart | undefined {
  const [, engine, day, hour, minute, second, label = ""] = form.exec(name) ?? [];
  const atMs = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return engine === undefined || Number.isNaN(atMs) ? undefined : { engine, atMs, label };
}
