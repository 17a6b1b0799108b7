import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter } from "../../contract/session.ts";
import type { RecordWriter, SessionRecords } from "../../app/session/ports.ts";
import { renderBlock } from "../../session/frontmatter/frontmatter.ts";
import { encodeLiveLine } from "../../session/write-ahead-copy.ts";
import { renderItem } from "../../session/render.ts";
import { isSessionId, numberedId } from "../../session/session-id.ts";
import { retryOnChange } from "./retry-on-change.ts";
import { bodyReader } from "./body-reader.ts";
import { withFallback } from "./failure.ts";
import { addDeletedEngineSessions } from "./deleted-sessions.ts";
import { GroupSync } from "./group-sync.ts";
import { idOfCopy, linkedPath, paths, type Layout } from "../layout.ts";
import { hookPaths } from "../layout/hook-paths.ts";
import { pathExists, type Disk } from "./disk.ts";
import { OpenRecord } from "./open-record.ts";
import { readResults } from "./results-file.ts";
import { readerTimeoutMs, recordReader, type RecordParts } from "./record-reader.ts";
import { glanceOf, type RecordState } from "./record-state.ts";
import { recover } from "./recover.ts";

/** What hooks told of an engine session goes with its session. */
function removeSpool(disk: Disk, { home }: Layout, key: string): void {
  const name = hookPaths.read(key.replace(" ", "."));
  if (name) for (const path of [hookPaths.spool(home, name), hookPaths.open(home, name)]) disk.remove(path);
}

export function sessionRecords(parts: RecordParts): SessionRecords {
  const { disk, layout, locks, clock } = parts;
  const groupSync = new GroupSync(disk);
  const reader = recordReader(parts);

  async function withSession<T>(id: string, work: (state: RecordState) => T | Promise<T>): Promise<T> {
    if (!isSessionId(id))
      throw new ClewError("invalid_id", `${JSON.stringify(id)} is no session id`, "ids are [a-z0-9-]");
    return (await locks()).with(`session/${id}`, async () => {
      const trusted = reader.trustedState(id);
      const state = trusted ?? (await retryOnChange(paths.record(layout, id), () => recover(parts, id)));
      // Another program changed the files: marked, so that the next list takes the change into the index.
      if (!trusted && pathExists(disk, paths.live(layout, id))) markOpen(id);
      return work(state);
    });
  }

  /** Runs `work` under the session's lock; does nothing when a writer keeps the lock. The next caller tries again. */
  async function ifUnlocked(id: string, work: () => void): Promise<void> {
    try {
      await (await locks()).with(`session/${id}`, work, readerTimeoutMs);
    } catch (error) {
      if (!(error instanceof ClewError && error.code === "locked")) throw error;
    }
  }

  function isOpen(id: string): boolean {
    return disk.stamp(paths.open(layout, id)) !== undefined;
  }

  function markOpen(id: string): void {
    if (isOpen(id)) return;
    disk.makeFolder(paths.openFolder(layout));
    disk.append(paths.open(layout, id), Buffer.from("\n"), 0o600);
  }

  /** Removes the copy first: while it exists, a missing folder would be made again from it. */
  function removeAll(id: string): void {
    disk.remove(paths.live(layout, id));
    disk.remove(paths.state(layout, id));
    disk.remove(paths.transcripts(layout, id));
    disk.remove(paths.session(layout, id));
    disk.remove(paths.open(layout, id));
  }

  /** Writes the files of a new session into its folder; false when another session has the id. */
  async function writeNewSession(id: string, frontmatter: Omit<Frontmatter, "session_id">): Promise<boolean> {
    const { type, ...values } = frontmatter as Frontmatter;
    const head =
      renderBlock({ type, ...values, session_id: id }) + renderItem({ kind: "title", text: values.title }, "other");
    const line = encodeLiveLine({ n: 0, base: { session: id, head } });
    return (await locks()).with(`session/${id}`, () => {
      let isNew = true;
      try {
        markOpen(id);
        // Whole or not at all: an empty copy would have no session, and no other session could use the id.
        isNew = disk.create(paths.live(layout, id), Buffer.from(line), 0o600);
        if (isNew) disk.replace(paths.record(layout, id), Buffer.from(head));
        else if (!disk.stamp(paths.record(layout, id))) disk.remove(paths.session(layout, id));
        return isNew;
      } catch (error) {
        if (isNew) removeAll(id);
        throw error;
      }
    });
  }

  return {
    async create(wantedId, frontmatter) {
      disk.makeFolder(layout.sessions);
      disk.makeFolder(paths.liveFolder(layout));
      for (let number = 1; ; number++) {
        const id = numberedId(wantedId, number);
        const isFree =
          disk.stamp(paths.live(layout, id)) === undefined && disk.makeNewFolder(paths.session(layout, id));
        if (isFree && (await writeNewSession(id, frontmatter))) return id;
      }
    },

    async change(id, work, { durable } = { durable: true }) {
      let hasWritten = false;
      let hasResults = false;
      const result = await withSession(id, async (state) => {
        const sizeBefore = state.liveSize;
        const record = new OpenRecord(parts, id, state, () => markOpen(id));
        const answer = await work(writer(record));
        hasResults = record.hasResults;
        hasWritten = state.liveSize !== sizeBefore;
        return answer;
      });
      if (hasWritten && durable) {
        const results = hasResults ? groupSync.sync(paths.results(layout, id)) : undefined;
        await Promise.all([results, groupSync.sync(paths.live(layout, id))]);
      }
      return result;
    },

    ...reader,
    ...bodyReader(disk, layout, reader),

    exists: (id) =>
      isSessionId(id) && (pathExists(disk, paths.record(layout, id)) || pathExists(disk, paths.live(layout, id))),
    ids: () =>
      disk.list(layout.sessions).filter((name) => isSessionId(name) || pathExists(disk, paths.record(layout, name))),
    openIds: () => disk.list(paths.openFolder(layout)).filter(isSessionId),
    isHere: (id) => pathExists(disk, paths.record(layout, id)),
    hasCopy: (id) => pathExists(disk, paths.live(layout, id)),
    copyIds: () =>
      disk
        .list(paths.liveFolder(layout))
        .flatMap((name) => idOfCopy(name) ?? [])
        .filter(isSessionId),
    markOpen,

    // When a file cannot be read, reading the session reports why.
    isTakenIn: (id) =>
      withFallback(() => disk.read(paths.open(layout, id))?.toString("utf8") === `${reader.fingerprint(id)}\n`, false),

    markTakenIn(id, files) {
      // When this fails, the index takes the session in once more.
      withFallback(() => {
        if (isOpen(id)) disk.replaceUnsynced(paths.open(layout, id), Buffer.from(`${files}\n`));
      }, undefined);
    },

    closeIfStill: (id, files) =>
      ifUnlocked(id, () => {
        if (reader.fingerprint(id) === files) disk.remove(paths.open(layout, id));
      }),

    async remove(id, engineSessions) {
      const sessionLocks = await locks();
      addDeletedEngineSessions(disk, layout, engineSessions);
      for (const key of engineSessions) removeSpool(disk, layout, key);
      await sessionLocks.with(`session/${id}`, () => removeAll(id));
    },

    dropCopy: (id, isSafe) =>
      ifUnlocked(id, () => {
        if (!isSafe()) return;
        disk.remove(paths.live(layout, id));
        disk.remove(paths.state(layout, id));
      }),

    path: (id) => paths.record(layout, id),
    transcriptNames: (id) => disk.list(paths.transcripts(layout, id)).filter((name) => name.endsWith(".jsonl")),
    results: (id, wanted) => readResults(disk, paths.results(layout, id), wanted),

    keep(id, text) {
      const { createHash } = process.getBuiltinModule("node:crypto");
      const file = paths.longText(layout, id, createHash("sha256").update(text).digest("hex"));
      disk.makeFolder(paths.transcripts(layout, id));
      if (!disk.stamp(file)) disk.replace(file, Buffer.from(text));
      return linkedPath(layout, file);
    },
  };

  function writer(record: OpenRecord): RecordWriter {
    return {
      get glance() {
        return glanceOf(record.state);
      },
      get tally() {
        return record.state.tally;
      },
      get revision() {
        return record.state.n;
      },
      body: () => record.body(),
      append: (entries, moment) => record.append(entries, moment, clock.now()),
      set: async (changes) => void (await record.set(changes)),
      amend: (before, after) => record.amend(before, after),
      rename: (title) => record.rename(title),
      save: (news) => record.save(clock.now(), news),
    };
  }
}
