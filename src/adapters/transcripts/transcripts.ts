import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SourceLine, TranscriptFile, Transcripts } from "../../app/import/ports.ts";
import type { ImportedEngine } from "../../contract/import-values.ts";
import { claudeTranscript } from "../../engine/transcript/claude.ts";
import { codexTranscript } from "../../engine/transcript/codex.ts";
import type { TranscriptReader } from "../../engine/transcript/event.ts";
import { opencodeTranscript } from "../../engine/transcript/opencode.ts";
import { qwenTranscript } from "../../engine/transcript/qwen.ts";
import { knownPrograms } from "../engines/known-programs.ts";
import { folderOf } from "../engines/logged-in.ts";
import type { Repository } from "../git/repository.ts";
import { agentMeta } from "./agent-meta.ts";
import { listClaude } from "./claude-files.ts";
import { listCodex } from "./codex-files.ts";
import { geminiReader, listGemini } from "./gemini-files.ts";
import type { Listing } from "./list-folder.ts";
import type * as OpencodeDatabase from "./opencode-database.ts";
import { folderCheck, ownRoots } from "./own-folders.ts";
import { listQwen } from "./qwen-files.ts";
import { markBefore, sourceLines } from "./source-lines.ts";

type Env = Record<string, string | undefined>;

/** The transcripts of this machine's engines, as they concern one repository. */
export function engineTranscripts(repository: Repository, env: Env, nowMs: () => number): Transcripts {
  const roots = ownRoots(repository);
  let opencode: typeof OpencodeDatabase | undefined;
  /** The lists take the engine's folder, and the folders whose transcripts are wanted; undefined for all. */
  const engines: Record<ImportedEngine, EngineFiles> = {
    claude: { list: listClaude, reader: (path) => agentMeta(path, claudeTranscript()) },
    codex: { list: listCodex, reader: codexTranscript },
    gemini: { list: listGemini, reader: (path) => geminiReader(path, roots) },
    qwen: { list: listQwen, reader: (path) => agentMeta(path, qwenTranscript()) },
    opencode: {
      async list(home, wanted) {
        const path = join(home, "opencode.db");
        if (!existsSync(path)) return { files: [], skipped: [] };
        // Loading SQLite takes longer than all other lists.
        opencode ??= await import("./opencode-database.ts");
        return opencode.listOpencode(path, wanted);
      },
      reader: opencodeTranscript,
    },
  };
  return {
    list: async (engine, everywhere) =>
      engines[engine].list(folderOf(knownPrograms[engine]!.logIn.folder, env), everywhere ? undefined : roots),
    lines: ({ engine, path }: TranscriptFile): Iterable<SourceLine> =>
      engine === "opencode" && opencode ? opencode.opencodeLines(path, nowMs()) : sourceLines(path),
    mark: ({ engine, path }, position) =>
      engine === "opencode" && opencode ? opencode.opencodeMark(path, position) : markBefore(path, position),
    reader: ({ engine, path }) => engines[engine].reader(path),
    isOwnFolder: folderCheck(repository, roots),
  };
}

interface EngineFiles {
  list: (home: string, roots: string[] | undefined) => Listing | Promise<Listing>;
  reader: (path: string) => TranscriptReader;
}
