import { join, relative } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter } from "../../contract/session.ts";
import type { RecordGlance, RecordText, RecordWriter, SessionRecords } from "../../app/ports.ts";
import { bodyName, nameOf } from "../../session/body-name.ts";
import { readBlock, renderBlock } from "../../session/frontmatter/frontmatter.ts";
import { readFrontmatter } from "../../session/frontmatter/read.ts";
import { encodeLiveLine } from "../../session/live.ts";
import { normaliseLineEnds } from "../../session/parse.ts";
import { renderItem } from "../../session/render.ts";
import { isSessionId } from "../../session/session-id.ts";
import { againWhileChanging } from "./again-while-changing.ts";
import { bodyReader } from "./body-reader.ts";
import { FileChanged, sameStamp } from "./disk.ts";
import { GroupSync } from "./group-sync.ts";
import { paths } from "./layout.ts";
import { isThere } from "./is-there.ts";
import { limits } from "./limits.ts";
import type { Locks } from "./lock.ts";
import { OpenRecord } from "./open-record.ts";
import { readResults } from "./results-file.ts";
import { readState, type RecordState } from "./record-state.ts";
import { asDamaged, recover, wrongId, type RecoverParts } from "./recover.ts";

/** How often a reader looks again while others write, before it waits for its turn. */
const readTries = 3;

interface Parts extends RecoverParts {
  /** A function because readers of an untouched session never need them, and loading them takes time. */
  locks: () => Promise<Locks>;
}

export function sessionRecords(parts: Parts): SessionRecords {
  const { disk, layout, locks, clock, boot } = parts;
  const groupSync = new GroupSync(disk);

  /** The state of the last writer, if nobody touched the files since. */
  function trustedState(id: string): RecordState | undefined {
    const state = readState(disk, paths.state(layout, id));
    try {
      if (state?.boot !== boot || !sameStamp(state.record, disk.stamp(paths.record(layout, id)))) return undefined;
      return isComplete(id, state) ? state : undefined;
    } catch (error) {
      // Whoever reads it tells what is wrong with it.
      if (error instanceof ClewError) return undefined;
      throw error;
    }
  }

  /** Whether the copy has no more than the state knows of; one that cannot be read is told of when it is. */
  function isComplete(id: string, { liveSize }: RecordState): boolean {
    try {
      return (disk.stamp(paths.live(layout, id))?.size ?? 0) === liveSize;
    } catch (error) {
      if (error instanceof ClewError) return false;
      throw error;
    }
  }

  async function locked<T>(id: string, work: (state: RecordState) => T | Promise<T>): Promise<T> {
    if (!isSessionId(id))
      throw new ClewError("invalid_id", `${JSON.stringify(id)} is no session id`, "ids are [a-z0-9-]");
    return (await locks()).with(`session/${id}`, async () => {
      const trusted = trustedState(id);
      const state = trusted ?? (await againWhileChanging(paths.record(layout, id), () => recover(parts, id)));
      // Somebody else touched the files: whoever lists next takes that over.
      if (!trusted && isThere(disk, paths.live(layout, id))) markOpen(id);
      return work(state);
    });
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
  async function begin(id: string, frontmatter: Omit<Frontmatter, "session_id">): Promise<boolean> {
    const { type, ...values } = frontmatter as Frontmatter;
    const head =
      renderBlock({ type, ...values, session_id: id }) + renderItem({ kind: "title", text: values.title }, "other");
    const line = encodeLiveLine({ n: 0, base: { session: id, head } });
    return (await locks()).with(`session/${id}`, () => {
      let isOurs = true;
      try {
        markOpen(id);
        // Whole or not at all: an empty copy would be the copy of nothing, and keep its name from everybody.
        isOurs = disk.create(paths.live(layout, id), Buffer.from(line), 0o600);
        if (isOurs) disk.replace(paths.record(layout, id), Buffer.from(head));
        else if (!disk.stamp(paths.record(layout, id))) disk.remove(paths.session(layout, id));
        return isOurs;
      } catch (error) {
        if (isOurs) removeAll(id);
        throw error;
      }
    });
  }

  /** As the state describes it, or undefined when it is no longer so. */
  async function readTrusted(id: string, { record, check, headBytes }: RecordState): Promise<RecordText | undefined> {
    try {
      const bytes = disk.readRange(paths.record(layout, id), 0, record.size, record);
      return await readText(id, bytes, nameOf(check, record.size - headBytes));
    } catch (error) {
      if (error instanceof FileChanged) return undefined;
      throw error;
    }
  }

  /** `check`, when it is known already, saves computing it. */
  async function readText(id: string, bytes: Buffer, check?: string): Promise<RecordText> {
    const file = paths.record(layout, id);
    const raw = bytes.toString("utf8");
    try {
      const block = readBlock(raw);
      const head = normaliseLineEnds(raw.slice(0, block.length));
      const body = raw.slice(block.length);
      const frontmatter = await readFrontmatter(block);
      if (frontmatter.session_id !== id) throw wrongId(frontmatter.session_id, id);
      const text = head + normaliseLineEnds(body);
      return { text, bodyStart: head.length, frontmatter, check: check ?? bodyName(body) };
    } catch (error) {
      throw asDamaged(id, file, error, copyOf(id));
    }
  }

  /** Where what was logged stands once more; undefined when there is no copy. */
  function copyOf(id: string): string | undefined {
    const copy = paths.live(layout, id);
    return disk.stamp(copy) && copy;
  }

  /** Its file as it stands; undefined when it is missing. Throws when it is no file that can be read. */
  function readFile(id: string): Buffer | undefined {
    const file = paths.record(layout, id);
    try {
      return disk.readStamped(file, limits.record)?.bytes;
    } catch (error) {
      throw asDamaged(id, file, error, copyOf(id));
    }
  }

  return {
    async create(wantedId, frontmatter) {
      disk.makeFolder(layout.sessions);
      disk.makeFolder(paths.liveFolder(layout));
      for (let number = 1; ; number++) {
        const id = number === 1 ? wantedId : `${wantedId}-${number}`;
        const isFree =
          disk.stamp(paths.live(layout, id)) === undefined && disk.makeNewFolder(paths.session(layout, id));
        if (isFree && (await begin(id, frontmatter))) return id;
      }
    },

    async change(id, work, { durable } = { durable: true }) {
      let wrote = false;
      let wroteResults = false;
      const result = await locked(id, async (state) => {
        const sizeBefore = state.liveSize;
        const record = new OpenRecord(parts, id, state, () => markOpen(id));
        const answer = await work(writer(record));
        wroteResults = record.hasResults;
        wrote = state.liveSize !== sizeBefore;
        return answer;
      });
      if (wrote && durable) {
        const results = wroteResults ? groupSync.sync(paths.results(layout, id)) : undefined;
        await Promise.all([results, groupSync.sync(paths.live(layout, id))]);
      }
      return result;
    },

    async read(id) {
      for (let left = readTries; left > 0; left--) {
        const state = trustedState(id);
        const read = state && (await readTrusted(id, state));
        if (read) return read;
        if (!state) break;
      }
      // Without a write-ahead copy there is nothing to compare the file with, and no reason to wait for the lock.
      const bytes = isThere(disk, paths.live(layout, id)) ? undefined : readFile(id);
      if (bytes) return readText(id, bytes);
      return locked(
        id,
        async (mended) => (await readTrusted(id, mended)) ?? readText(id, readFile(id) ?? Buffer.alloc(0)),
      );
    },

    ...bodyReader({ disk, layout, trustedState, readFile }),

    glance(id) {
      const state = readState(disk, paths.state(layout, id));
      if (!state) return undefined;
      return { ...glanceOf(state), dirty: state.dirty || !isComplete(id, state) };
    },

    exists: (id) =>
      isSessionId(id) && (isThere(disk, paths.record(layout, id)) || isThere(disk, paths.live(layout, id))),
    ids: () =>
      disk
        .list(layout.sessions)
        .filter((name) => isSessionId(name) || isThere(disk, join(layout.sessions, name, "session.md"))),
    openIds: () => disk.list(paths.openFolder(layout)).filter(isSessionId),
    isHere: (id) => isThere(disk, paths.record(layout, id)),
    hasCopy: (id) => isThere(disk, paths.live(layout, id)),
    copyIds: () =>
      disk
        .list(paths.liveFolder(layout))
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => name.slice(0, -".jsonl".length))
        .filter(isSessionId),
    markOpen,

    async closeIfSettled(id) {
      await (
        await locks()
      ).with(`session/${id}`, () => {
        const state = trustedState(id);
        const settled = state ? !state.dirty && state.status !== "active" : !isThere(disk, paths.record(layout, id));
        if (settled) disk.remove(paths.open(layout, id));
      });
    },

    async remove(id) {
      await (
        await locks()
      ).with(`session/${id}`, () => {
        removeAll(id);
      });
    },

    async dropCopy(id, isSafe) {
      await (
        await locks()
      ).with(`session/${id}`, () => {
        if (!isSafe()) return;
        disk.remove(paths.live(layout, id));
        disk.remove(paths.state(layout, id));
      });
    },

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
      save: () => record.save(clock.now()),
    };
  }
}

function glanceOf({ status, parent, dirty, savedAtMs, activeAtMs }: RecordState): RecordGlance {
  return { status, parent, dirty, savedAtMs, activeAtMs };
}
