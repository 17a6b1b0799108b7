import { join, relative } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter } from "../../contract/session.ts";
import type { RecordGlance, RecordWriter, SessionRecords } from "../../app/session/ports.ts";
import { renderBlock } from "../../session/frontmatter/frontmatter.ts";
import { encodeLiveLine } from "../../session/live.ts";
import { renderItem } from "../../session/render.ts";
import { isSessionId } from "../../session/session-id.ts";
import { retryOnChange } from "./retry-on-change.ts";
import { bodyReader } from "./body-reader.ts";
import { GroupSync } from "./group-sync.ts";
import { paths } from "../layout.ts";
import { pathExists } from "./is-there.ts";
import type { Locks } from "./lock.ts";
import { OpenRecord } from "./open-record.ts";
import { readResults } from "./results-file.ts";
import { readerTimeoutMs, recordReader } from "./record-reader.ts";
import type { RecordState } from "./record-state.ts";
import { recover, type RecoverParts } from "./recover.ts";

interface Parts extends RecoverParts {
  /** A function because readers of an untouched session never need them, and loading them takes time. */
  locks: () => Promise<Locks>;
}

export function sessionRecords(parts: Parts): SessionRecords {
  const { disk, layout, locks, clock } = parts;
  const groupSync = new GroupSync(disk);
  const reader = recordReader(parts);

  async function withSession<T>(id: string, work: (state: RecordState) => T | Promise<T>): Promise<T> {
    if (!isSessionId(id))
      throw new ClewError("invalid_id", `${JSON.stringify(id)} is no session id`, "ids are [a-z0-9-]");
    return (await locks()).with(`session/${id}`, async () => {
      const trusted = reader.trustedState(id);
      const state = trusted ?? (await retryOnChange(paths.record(layout, id), () => recover(parts, id)));
      // Somebody else touched the files: whoever lists next takes that over.
      if (!trusted && pathExists(disk, paths.live(layout, id))) markOpen(id);
      return work(state);
    });
  }

  /** What whoever looks puts in order, unless a writer is at work: then the next one does. */
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

  /** The copy goes first: while it is there, a missing folder would be made again from it. */
  function removeAll(id: string): void {
    disk.remove(paths.live(layout, id));
    disk.remove(paths.state(layout, id));
    disk.remove(paths.transcripts(layout, id));
    disk.remove(paths.session(layout, id));
    disk.remove(paths.open(layout, id));
  }

  /** Fills the folder of a new session; false when the id turns out to be another's. */
  async function writeNewSession(id: string, frontmatter: Omit<Frontmatter, "session_id">): Promise<boolean> {
    const { type, ...values } = frontmatter as Frontmatter;
    const head =
      renderBlock({ type, ...values, session_id: id }) + renderItem({ kind: "title", text: values.title }, "other");
    const line = encodeLiveLine({ n: 0, base: { session: id, head } });
    return (await locks()).with(`session/${id}`, () => {
      let isNew = true;
      try {
        markOpen(id);
        // Whole or not at all: an empty copy would be the copy of nothing, and keep its name from everybody.
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
        const id = number === 1 ? wantedId : `${wantedId}-${number}`;
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

    read: (id) => reader.read(id),
    summary: (id) => reader.summary(id),
    glance: (id) => reader.glance(id),
    isWhole: (id) => reader.isWhole(id),
    fingerprint: (id) => reader.fingerprint(id),
    ...bodyReader({ disk, layout, reader }),

    exists: (id) =>
      isSessionId(id) && (pathExists(disk, paths.record(layout, id)) || pathExists(disk, paths.live(layout, id))),
    ids: () =>
      disk
        .list(layout.sessions)
        .filter((name) => isSessionId(name) || pathExists(disk, join(layout.sessions, name, "session.md"))),
    openIds: () => disk.list(paths.openFolder(layout)).filter(isSessionId),
    isHere: (id) => pathExists(disk, paths.record(layout, id)),
    hasCopy: (id) => pathExists(disk, paths.live(layout, id)),
    copyIds: () =>
      disk
        .list(paths.liveFolder(layout))
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => name.slice(0, -".jsonl".length))
        .filter(isSessionId),
    markOpen,

    isTakenIn(id) {
      try {
        return disk.read(paths.open(layout, id))?.toString("utf8") === `${reader.fingerprint(id)}\n`;
      } catch (error) {
        // Whoever reads it tells what is wrong with it.
        if (error instanceof ClewError) return false;
        throw error;
      }
    },

    takenIn(id, files) {
      try {
        if (isOpen(id)) disk.replaceUnsynced(paths.open(layout, id), Buffer.from(`${files}\n`));
      } catch (error) {
        // Then it is taken in once more.
        if (!(error instanceof ClewError)) throw error;
      }
    },

    closeIfStill: (id, files) =>
      ifUnlocked(id, () => {
        if (reader.fingerprint(id) === files) disk.remove(paths.open(layout, id));
      }),

    async remove(id) {
      await (
        await locks()
      ).with(`session/${id}`, () => {
        removeAll(id);
      });
    },

    dropCopy: (id, isSafe) =>
      ifUnlocked(id, () => {
        if (!isSafe()) return;
        disk.remove(paths.live(layout, id));
        disk.remove(paths.state(layout, id));
      }),

    path: (id) => paths.record(layout, id),
    results: (id, wanted) => readResults(disk, paths.results(layout, id), wanted),

    keep(id, text) {
      const { createHash } = process.getBuiltinModule("node:crypto");
      const name = `${createHash("sha256").update(text).digest("hex")}.txt`;
      const folder = paths.transcripts(layout, id);
      disk.makeFolder(folder);
      if (!disk.stamp(join(folder, name))) disk.replace(join(folder, name), Buffer.from(text));
      return join(".clew", relative(layout.home, folder), name);
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

function glanceOf({ status, parent, savedAtMs, activeAtMs }: RecordState): RecordGlance {
  return { status, parent, savedAtMs, activeAtMs };
}
