import type { ImportResult, ImportsApi } from "../../contract/api/import.ts";
import { importedEngines } from "../../contract/import-values.ts";
import { importTranscripts } from "./import.ts";
import type { ImportParts } from "./import-run.ts";
import type { TranscriptFile, Transcripts } from "./ports.ts";
import { TranscriptSource } from "./source.ts";

interface Parts extends ImportParts {
  /** The id of the session that a person names. */
  find: (name: string) => Promise<string>;
  /** Resolves after so long, or as soon as the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** A look at all files takes few milliseconds. */
const lookEveryMs = 1000;

export function importsApi(parts: Parts): ImportsApi {
  return {
    run: (request) => importTranscripts(parts, request),
    async follow(request, options) {
      const first = await importTranscripts(parts, request);
      const signal = options?.signal;
      return (async function* (): AsyncGenerator<ImportResult> {
        yield first;
        for (;;) {
          await parts.sleep(lookEveryMs, signal);
          if (signal?.aborted) return;
          const result = await importTranscripts(parts, request);
          if (result.sessions.length > 0) yield result;
        }
      })();
    },
    async count() {
      const memory = parts.memory();
      const engines = [];
      for (const engine of importedEngines) {
        const { files } = await parts.transcripts.list(engine, false);
        const isNews = ({ path, about }: TranscriptFile): boolean => !about.parent && memory.get(path) === undefined;
        const sessions = files.filter((file) => isNews(file) && mayBeOwn(parts.transcripts, file)).length;
        if (sessions > 0) engines.push({ engine, sessions });
      }
      return { engines };
    },
    async share({ sessions }) {
      const ids: string[] = [];
      for (const name of sessions) ids.push(await parts.find(name));
      parts.bulk.share(ids);
      return { shared: ids };
    },
  };
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
