import type { ImportedEngine } from "../../contract/import-values.ts";
import type { Transcripts } from "../../app/import/ports.ts";
import { claudeTranscript } from "../../engine/transcript/claude.ts";
import type { TranscriptReader } from "../../engine/transcript/event.ts";
import { knownPrograms } from "../engines/known-programs.ts";
import { folderOf } from "../engines/logged-in.ts";
import type { Repository } from "../git/repository.ts";
import { claudeMeta } from "./claude-meta.ts";
import { listClaude } from "./claude-files.ts";
import type { Listing } from "./list-folder.ts";
import { folderCheck, ownRoots } from "./own-folders.ts";
import { sourceLines } from "./source-lines.ts";

interface EngineFiles {
  /** `roots` are the folders whose transcripts are wanted; undefined for all. */
  list: (home: string, roots: string[] | undefined) => Listing;
  reader: (path: string) => TranscriptReader;
}

const engines: Partial<Record<ImportedEngine, EngineFiles>> = {
  claude: { list: listClaude, reader: (path) => claudeMeta(path, claudeTranscript()) },
};

/** The transcripts of this machine's engines, as they concern one repository. */
export function engineTranscripts(repository: Repository, env: Record<string, string | undefined>): Transcripts {
  const roots = ownRoots(repository);
  return {
    list: (engine, everywhere) =>
      engines[engine]?.list(folderOf(knownPrograms[engine]!.logIn.folder, env), everywhere ? undefined : roots) ?? {
        files: [],
        skipped: [],
      },
    lines: ({ path }) => sourceLines(path),
    reader: ({ engine, path }) => engines[engine]!.reader(path),
    isOwnFolder: folderCheck(repository, roots),
  };
}
