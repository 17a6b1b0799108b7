import type { TranscriptFile, Transcripts } from "../../app/import/ports.ts";
import { hookTranscript } from "../../engine/transcript/hooks.ts";
import { markBefore, sourceLines } from "../transcripts/source-lines.ts";

/** These transcripts alone; those that hooks left are read as such. */
export function chosenTranscripts(transcripts: Transcripts, files: TranscriptFile[]): Transcripts {
  return {
    list: async (engine) => ({ files: files.filter((file) => file.engine === engine), skipped: [] }),
    lines: (file) => (file.source === "hooks" ? sourceLines(file.path) : transcripts.lines(file)),
    reader: (file) => (file.source === "hooks" ? hookTranscript() : transcripts.reader(file)),
    mark: (file, position) =>
      file.source === "hooks" ? markBefore(file.path, position) : transcripts.mark(file, position),
    isOwnFolder: (folder) => transcripts.isOwnFolder(folder),
  };
}
