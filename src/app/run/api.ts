import type { DriveNews, RunChanges, RunsApi } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { Signal } from "../../contract/run.ts";
import type { RunControl } from "./control.ts";
import type { EventHub } from "./event-hub.ts";
import { followEvents, recordedEvents } from "./events.ts";
import { findRun, type FindRunParts } from "./find.ts";
import { liveAgents } from "./live-agents.ts";
import { diffOf } from "./offers.ts";
import { runPage } from "./page.ts";
import type { RunDiffs } from "./ports.ts";
import { isOver, runLines, listRuns, readPinnedRun } from "./read.ts";
import type { RunRequest } from "../../contract/api/grimoire.ts";
import { showRun } from "./show.ts";
import type { RunStarter } from "./starter.ts";
import { steerAgent } from "./steer-agent.ts";

export interface RunsApiParts {
  reading: FindRunParts;
  starter: RunStarter;
  control: RunControl;
  diffs: RunDiffs;
  eventHub: EventHub;
  /** The session of a run; undefined while there is none. */
  sessionOf: (runId: string) => string | undefined;
  /** Whether agents of an engine take further messages. */
  takesMessages: (engine: string) => boolean;
  changesSince: (pinned: PinnedRun) => Promise<RunChanges>;
  around: {
    /** The bead that is meant by a part of its id; undefined when none is. Throws when it was deleted, or may be several. */
    findClearBeadId: (name: string) => string | undefined;
    sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  };
}

export function runsApi(parts: RunsApiParts): RunsApi {
  const { reading, starter, control, around } = parts;
  const { store } = reading;
  const find = (run: string): string => findRun(reading, run);
  const steering = { store, control, sleep: around.sleep, takesMessages: parts.takesMessages };
  const signalRun = async (
    run: string,
    signal: Signal,
    tree?: string,
  ): Promise<{ run_id: string; is_driven: boolean }> => {
    const run_id = find(run);
    const { isDriven } = await control.signal(run_id, signal, { command: `clew run ${signal.kind}`, tree });
    return { run_id, is_driven: isDriven };
  };
  return {
    async start({ bead, ...request }) {
      const { runId, isNew } = await startOn(bead, request);
      return { run_id: runId, is_new: isNew };
    },
    async drive({ run, from }, { signal } = {}) {
      return withRemarks(control.driveOrFollow(find(run), { from, signal }));
    },
    find: async ({ run }) => ({ run_id: find(run) }),
    async list({ all, status, limit, after }) {
      const { runs, unreadable } = listRuns(reading, { all: all ?? false });
      const matches = runs.filter((run) => status === undefined || run.status === status);
      return { ...runPage(matches, { limit, after }), unreadable };
    },
    show: async ({ run }) => ({ run: showRun(find(run), parts) }),
    lines: async ({ run, follow, after }, { signal } = {}) =>
      runLines(store, find(run), { follow, after, signal, sleep: around.sleep }),
    async events({ follow, runs, ...others }, { signal } = {}) {
      const wanted = { ...others, runs: runs?.map(find) };
      return (follow ?? wanted.live)
        ? followEvents(parts.eventHub, wanted, signal)
        : asyncOf(recordedEvents(store, wanted));
    },
    async changedSince({ run }) {
      const runId = find(run);
      const pinned = isOver(store.state(runId)) ? undefined : readPinnedRun(store, runId);
      return pinned ? parts.changesSince(pinned) : { settings: [], files: [] };
    },
    diff: async ({ run, paths = [] }) => diffOf(find(run), paths, { store, diffs: parts.diffs }),
    retry: ({ run, modified_inputs: inputs = {}, limits, engine }) =>
      signalRun(run, { kind: "retry", inputs, ...(limits && { limits }), ...(engine !== undefined && { engine }) }),
    approve: ({ run, tree }) => signalRun(run, { kind: "approve" }, tree),
    reject: ({ run, reason = "" }) => signalRun(run, { kind: "reject", reason }),
    requestChanges: ({ run, text }) => signalRun(run, { kind: "changes", text }),
    cancel: ({ run }) => signalRun(run, { kind: "cancel" }),
    async agents({ run }) {
      const runIds = run === undefined ? store.openIds().filter((id) => store.isDriven(id)) : [find(run)];
      return { agents: liveAgents(steering, runIds) };
    },
    sendToAgent: ({ run, text }) => steerAgent(steering, find(run), { kind: "message", text }),
    stopAgent: ({ run, kill = false }) => steerAgent(steering, find(run), { kind: "stop_agent", kill }),
  };

  /** Looked for by a part of its id only when no bead has the word as its id. */
  async function startOn(bead: string, request: Omit<RunRequest, "bead">): Promise<{ runId: string; isNew: boolean }> {
    try {
      return await starter.start({ bead, ...request });
    } catch (error) {
      const isUnknown = error instanceof ClewError && error.code === "unknown_bead";
      const beadId = isUnknown ? around.findClearBeadId(bead) : undefined;
      if (beadId === undefined) throw error;
      return starter.start({ bead: beadId, ...request });
    }
  }

  /** What is told of the run holds when the stream has ended: its worktree is put away by then. */
  async function* withRemarks(news: AsyncIterable<DriveNews>): AsyncGenerator<DriveNews> {
    yield* news;
    for (const text of await control.worktreesPutAway()) yield { kind: "remark", text };
  }
}

async function* asyncOf<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
