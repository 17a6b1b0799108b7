import type { DriveNews, RunChanges, RunsApi } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { Signal } from "../../contract/run.ts";
import type { RunControl } from "./control.ts";
import { eventReader, followEvents } from "./events.ts";
import { diffOf } from "./offers.ts";
import { pageOf } from "./page.ts";
import type { RunDiffs, RunStore } from "./ports.ts";
import type { RunReading } from "./read.ts";
import type { RunRequest } from "./refusals.ts";
import { showRun } from "./show.ts";
import type { RunStarter } from "./starter.ts";

export interface RunsApiParts {
  store: RunStore;
  reading: RunReading;
  starter: RunStarter;
  control: RunControl;
  diffs: RunDiffs;
  /** The session of a run; undefined while there is none. */
  sessionOf: (runId: string) => string | undefined;
  changesSince: (pinned: PinnedRun) => Promise<RunChanges>;
  around: {
    /** The bead that is meant by a part of its id; undefined when none is. Throws when it was deleted, or may be several. */
    beadMeant: (name: string) => string | undefined;
    sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  };
}

export function runsApi(parts: RunsApiParts): RunsApi {
  const { store, reading, starter, control, around } = parts;
  const leave = async (run: string, signal: Signal, tree?: string): Promise<{ run_id: string; is_driven: boolean }> => {
    const run_id = reading.find(run);
    const { isDriven } = await control.signal(run_id, signal, { command: `clew run ${signal.kind}`, tree });
    return { run_id, is_driven: isDriven };
  };
  return {
    async start({ bead, ...request }) {
      const { runId, isNew } = await startOn(bead, request);
      return { run_id: runId, is_new: isNew };
    },
    async drive({ run, from }, { signal } = {}) {
      return withRemarks(control.driveOrFollow(reading.find(run), { from, signal }));
    },
    find: async ({ run }) => ({ run_id: reading.find(run) }),
    async list({ all, status, limit, after }) {
      const { runs, unreadable } = reading.list({ all: all ?? false });
      const wanted = runs.filter((run) => status === undefined || run.status === status);
      return { ...pageOf(wanted, { limit, after }), unreadable };
    },
    show: async ({ run }) => ({ run: showRun(reading.find(run), parts) }),
    lines: async ({ run, follow }, { signal } = {}) => reading.lines(reading.find(run), { follow, signal }),
    events: async ({ follow, after }, { signal } = {}) =>
      followEvents(eventReader(store), { follow, after, signal, sleep: around.sleep }),
    async changedSince({ run }) {
      const runId = reading.find(run);
      const pinned = reading.isUnfinished(runId) ? reading.pinned(runId) : undefined;
      return pinned ? parts.changesSince(pinned) : { settings: [], files: [] };
    },
    diff: async ({ run, paths }) => diffOf(reading.find(run), paths, parts),
    retry: ({ run, inputs }) => leave(run, { kind: "retry", inputs }),
    approve: ({ run, tree }) => leave(run, { kind: "approve" }, tree),
    reject: ({ run, reason }) => leave(run, { kind: "reject", reason }),
    requestChanges: ({ run, text }) => leave(run, { kind: "changes", text }),
    cancel: ({ run }) => leave(run, { kind: "cancel" }),
  };

  /** Looked for by a part of its id only when no bead has the word as its id. */
  async function startOn(
    bead: string,
    request: Omit<RunRequest, "beadId">,
  ): Promise<{ runId: string; isNew: boolean }> {
    try {
      return await starter.start({ beadId: bead, ...request });
    } catch (error) {
      const isUnknown = error instanceof ClewError && error.code === "unknown_bead";
      const beadId = isUnknown ? around.beadMeant(bead) : undefined;
      if (beadId === undefined) throw error;
      return starter.start({ beadId, ...request });
    }
  }

  /** What is told of the run holds when the stream has ended: its worktree is put away by then. */
  async function* withRemarks(news: AsyncIterable<DriveNews>): AsyncGenerator<DriveNews> {
    yield* news;
    for (const text of await control.worktreesPutAway()) yield { kind: "remark", text };
  }
}
