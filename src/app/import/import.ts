import type { ImportRequest, ImportResult } from "../../contract/api/import.ts";
import { importedEngines } from "../../contract/import-values.ts";
import type { ImportParts } from "./parts.ts";
import { foreign, type SkippedFile, type TranscriptFile } from "./ports.ts";

/**
 * Makes sessions of what engines left on this machine. Asked again, it goes on where it was: a transcript that has not changed
 * takes a look at its time and size.
 */
export async function importTranscripts(parts: ImportParts, request: ImportRequest): Promise<ImportResult> {
  const memory = parts.memory();
  const everywhere = request.all_projects === true;
  const sinceMs = request.since === undefined ? 0 : Date.parse(request.since);
  const result: ImportResult = { imported: 0, continued: 0, unchanged: 0, skipped: [], sessions: [] };
  const files: TranscriptFile[] = [];
  for (const engine of request.engine === undefined ? importedEngines : [request.engine]) {
    const listing = await parts.transcripts.list(engine, everywhere);
    files.push(...listing.files.filter(({ writtenMs }) => writtenMs >= sinceMs));
    result.skipped.push(...listing.skipped);
  }
  const isNews = ({ path, stamp }: TranscriptFile): boolean => {
    const known = memory.get(path);
    return known?.stamp !== stamp || (everywhere && known.session === foreign);
  };
  result.unchanged = files.filter((file) => !isNews(file) && memory.get(file.path)?.session).length;
  const work = async (): Promise<ImportResult> => {
    const { ImportRun } = await import("./import-run.ts");
    return new ImportRun(parts, request, memory, result).run(files, isNews);
  };
  if (files.some(isNews)) await (request.dry_run ? work() : parts.withLock(work));
  if (result.skipped.length > 0) result.skipped = await withoutSecrets(parts, result.skipped);
  return result;
}

/** Names of files, and what stands in them, are anybody's text. */
async function withoutSecrets({ sessions }: ImportParts, skipped: SkippedFile[]): Promise<SkippedFile[]> {
  const redact = await sessions.redact();
  return skipped.map(({ path, reason }) => ({ path: redact(path), reason: redact(reason) }));
}
