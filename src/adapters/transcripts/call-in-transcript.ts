import type { TranscriptFile, Transcripts } from "../../app/import/ports.ts";
import type { TranscriptLook, TranscriptSight } from "../../app/evidence/ports.ts";
import { importedEngines } from "../../contract/import-values.ts";
import { shellCallOf } from "../../engine/tool-kinds.ts";
import { attempt } from "../../text/attempt.ts";
import { isObject } from "../../text/is-object.ts";
import { parseJson } from "../../text/parse-json.ts";
import { knownPrograms } from "../engines/known-programs.ts";
import { folderOf } from "../engines/logged-in.ts";
import { isBelow } from "../files/bounds.ts";
import { realPath } from "../files/real-path.ts";

/** Looks for calls in what engines wrote of them. A file outside the engine's own folder is none of the engine's. */
export function callsInTranscripts(
  transcripts: Pick<Transcripts, "lines" | "reader">,
  env: Record<string, string | undefined>,
): TranscriptLook {
  return ({ engine: name, transcript, tool_use_id: id }) => {
    const engine = importedEngines.find((each) => each === name);
    if (!engine || transcript === null) return undefined;
    const home = folderOf(knownPrograms[engine]!.logIn.folder, env);
    if (!isBelow(realPath(transcript), realPath(home))) return undefined;
    const file: TranscriptFile = { engine, path: transcript, stamp: "", bytes: 0, writtenMs: 0, about: {} };
    return attempt(() => callIn(transcripts, file, id), undefined);
  };
}

function callIn(
  transcripts: Pick<Transcripts, "lines" | "reader">,
  file: TranscriptFile,
  id: string,
): TranscriptSight | undefined {
  const reader = transcripts.reader(file);
  let call: Omit<TranscriptSight, "failed"> | undefined;
  for (const { bytes } of transcripts.lines(file)) {
    const line = bytes?.includes(id) ? reader.read(bytes) : undefined;
    if (!line || "problem" in line) continue;
    for (const event of line.events) {
      if (event.type === "tool_call" && event.id === id)
        call = { tool: event.name, command: shellCallOf(event.name, event.input)?.command, folder: folderIn(bytes!) };
      if (event.type === "tool_result" && event.id === id && call)
        return { ...call, failed: event.failed, endedAt: line.at };
    }
  }
  return undefined;
}

/** Claude and Qwen tell on each line in which folder they were. */
function folderIn(line: Buffer): string | undefined {
  const value = parseJson(line.toString("utf8"));
  const folder = isObject(value) ? value["cwd"] : undefined;
  return typeof folder === "string" ? folder : undefined;
}
