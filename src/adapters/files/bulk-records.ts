import type { BulkRecord, BulkRecords, OwnedSession } from "../../app/import/ports.ts";
import { engineSessionsIn, takenPartOf, type EngineSession } from "../../session/engine-sessions.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter } from "../../contract/session.ts";
import { readBlock, readValues } from "../../session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../../session/frontmatter/read.ts";
import { normaliseLineEnds, parseItems } from "../../session/parse.ts";
import { renderItem } from "../../session/render.ts";
import { isSessionId, numberedId } from "../../session/session-id.ts";
import { paths } from "../layout.ts";
import { FileBulkRecord } from "./bulk-record.ts";
import { dropCutOffResults } from "./cut-off-results.ts";
import { deletedEngineSessions } from "./deleted-sessions.ts";
import { withFallback } from "./failure.ts";
import { limits } from "./limits.ts";
import { pathExists } from "./disk.ts";
import type { RecordParts } from "./record-reader.ts";
import { recordedPeriods } from "./recorded-periods.ts";
import { recover, unknownSession } from "./recover.ts";

interface Parts extends RecordParts {
  /** Hides a session from git, on this machine; `share` undoes it. */
  hide: (id: string) => void;
  share: (ids: string[]) => string[];
}

/** Most frontmatter takes less. */
const headBytes = 4096;
/** A folder that is empty for so long belongs to no process: an import was killed before it wrote. */
const abandonedMs = 10_000;
const emptyBlock = { fields: [], padding: "", hadDuplicateKey: false, mark: "", length: 0, bytes: 0 };

export function bulkRecords(parts: Parts): BulkRecords {
  const { disk, layout, locks, hide, share } = parts;
  /** How often an id was asked for: many sessions begin alike. */
  const taken = new Map<string, number>();

  function isFree(id: string): boolean {
    return !pathExists(disk, paths.live(layout, id)) && !pathExists(disk, paths.session(layout, id));
  }

  function make(id: string): boolean {
    if (pathExists(disk, paths.live(layout, id))) return false;
    const folder = paths.session(layout, id);
    if (disk.makeNewFolder(folder, true)) return true;
    const changedMs = Number(BigInt(disk.stamp(folder)?.mtimeNs ?? 0) / 1_000_000n);
    return disk.list(folder).length === 0 && parts.clock.now() - changedMs > abandonedMs;
  }

  function firstId(wantedId: string, passes: (id: string) => boolean): string {
    for (let number = taken.get(wantedId) ?? 1; ; number++) {
      const id = numberedId(wantedId, number);
      if (!passes(id)) continue;
      taken.set(wantedId, number + 1);
      return id;
    }
  }

  return {
    async engineSessions(ids = disk.list(layout.sessions)) {
      const owned = new Map<string, OwnedSession | null>();
      for (const key of deletedEngineSessions(disk, layout)) owned.set(key, null);
      for (const id of ids.filter(isSessionId)) {
        for (const each of await engineSessionsOf(id))
          owned.set(`${each.engine} ${each.session}`, { id, taken: takenPartOf(each) });
      }
      return owned;
    },

    create(wantedId, head): BulkRecord {
      disk.makeFolder(layout.sessions);
      const id = firstId(wantedId, make);
      hide(id);
      // What an import that was killed left of another session of this name.
      disk.remove(paths.transcripts(layout, id));
      const block = emptyBlock;
      const frontmatter = { type: "session", session_id: id, ...head } as Partial<Frontmatter> as Frontmatter;
      const title = { kind: "title" as const, text: head.title };
      const body = renderItem(title, "other");
      return new FileBulkRecord(parts, id, { block, frontmatter, body, items: [title] });
    },

    freeId: (wantedId) => firstId(wantedId, isFree),

    async open(id) {
      if (pathExists(disk, paths.live(layout, id))) await recover(parts, id);
      const read = disk.readStamped(paths.record(layout, id), limits.record);
      if (!read) throw unknownSession(id);
      const text = read.bytes.toString("utf8");
      const block = readBlock(text);
      const frontmatter = await readFrontmatter(block);
      dropCutOffResults(disk, layout, id, frontmatter);
      const body = normaliseLineEnds(text.slice(block.length));
      const base = { block, frontmatter, body, items: parseItems(body), stamp: read.stamp };
      return { record: new FileBulkRecord(parts, id, base), frontmatter };
    },

    recorded: (id, engine) => recordedPeriods(disk, paths.transcripts(layout, id), engine),

    async sync() {
      const { transcriptsFolder } = paths;
      const folders = [layout.sessions, transcriptsFolder(layout)].filter((folder) => pathExists(disk, folder));
      await Promise.all(folders.map((folder) => disk.syncFolder(folder)));
    },
    withLock: async (id, work) => (await locks()).with(`session/${id}`, work),
    share,
  };

  /** Those of one session. A session that cannot be read has none that are known. */
  async function engineSessionsOf(id: string): Promise<EngineSession[]> {
    const file = paths.record(layout, id);
    const head = withFallback(
      () => (pathExists(disk, file) ? disk.readRange(file, 0, headBytes) : undefined),
      undefined,
    );
    if (!head) return [];
    try {
      const isWhole = head.length < headBytes || head.includes("\n---\n");
      const text = (isWhole ? head : (disk.read(file, limits.record) ?? head)).toString("utf8");
      if (!text.includes("engine_sessions")) return [];
      const block = readBlock(text);
      return engineSessionsIn(readValues(block) ?? (await readFrontmatter(block)));
    } catch (error) {
      if (error instanceof ClewError || (error as Error).name === "Damaged") return [];
      throw error;
    }
  }
}
