import { importedEngines, type ImportedEngine } from "../../contract/import-values.ts";
import type { ImportMemory, TranscriptFile, Transcripts } from "./ports.ts";
import { TranscriptSource } from "./source.ts";

/** How many engine sessions of this repository there are that no import has looked at, by engine. Mostly by their files' names. */
export async function importableSessions(
  transcripts: Transcripts,
  memory: ImportMemory,
): Promise<{ engine: ImportedEngine; sessions: number }[]> {
  const engines: { engine: ImportedEngine; sessions: number }[] = [];
  for (const engine of importedEngines) {
    const { files } = await transcripts.list(engine, false);
    const isNews = ({ path, about }: TranscriptFile): boolean => !about.parent && memory.get(path) === undefined;
    const sessions = files.filter((file) => isNews(file) && mayBeOwn(transcripts, file)).length;
    if (sessions > 0) engines.push({ engine, sessions });
  }
  return engines;
}

/** Where only the file itself tells the folder, its beginning is read. */
function mayBeOwn(transcripts: Transcripts, file: TranscriptFile): boolean {
  if (file.about.parent === undefined) return true;
  const source = new TranscriptSource(transcripts, file);
  try {
    source.readHead();
    const { cwd, parent } = source.about;
    return cwd !== undefined && !parent && transcripts.isOwnFolder(cwd);
  } catch {
    return false;
  } finally {
    source.close();
  }
}
