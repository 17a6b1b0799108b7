import type { StopReason, WorkNews, WorkRequest } from "../../contract/api/work.ts";
import type { Bead } from "../../contract/bead.ts";
import type { AgentResult } from "../../contract/engine.ts";
import type { WorkState } from "../../contract/work-state.ts";
import { advance } from "./advance.ts";
import { claimBead } from "./claim-bead.ts";
import { acquireSession } from "../session/drivers.ts";
import { endSession, pauseSession } from "../session/lifecycle.ts";
import { logEntry } from "../session/log.ts";
import { mendWork } from "./mend.ts";
import type { WorkParts } from "./parts.ts";
import type { WorkPlan } from "./plan.ts";
import {
  fromRecordPrompt,
  goOnPrompt,
  repairPrompt,
  taskPrompt,
  takerOf,
  type WorkPrompt,
  type WorkTaker,
} from "./prompt.ts";
import { beginTask, countOpen, firstTask, giveBackTasks, openBelow, statusOf } from "./tasks.ts";
import { stateOf } from "./recover-state.ts";
import { newState } from "./state.ts";
import { isSessionLost, judgeRefusal, judgeWork, type WorkVerdict } from "./verdict.ts";
import { runWorkAgent, type WorkAgentEnd } from "./work-agent.ts";
import { WorkBudget } from "./work-budget.ts";

/** Where nothing goes on before a person has seen to it; the others go on when somebody has the time. */
const needsPerson: ReadonlySet<StopReason> = new Set(["failed", "limit", "permission", "engine", "branch", "waiting"]);

type Tell = (news: WorkNews) => void;

/** Works on a bead until it is done or something stops the work. Throws a ClewError when it cannot begin. */
export async function driveWork(
  parts: WorkParts,
  plan: WorkPlan,
  request: WorkRequest,
  tell: Tell,
  signal: AbortSignal,
) {
  let release = plan.session && acquireSession(parts.drivers, "work session", plan.session.id);
  try {
    if (plan.session) await mendWork(parts, plan.session.id);
    const session = await claimBead(parts, plan, request);
    release ??= acquireSession(parts.drivers, "work session", session);
    await new WorkDrive(parts, { plan, request, session }, tell, signal).run();
  } finally {
    release?.();
  }
}

interface Drive {
  plan: WorkPlan;
  request: WorkRequest;
  session: string;
}

/** One process at work on one work session. */
class WorkDrive {
  readonly #parts: WorkParts;
  readonly #plan: WorkPlan;
  readonly #request: WorkRequest;
  readonly #session: string;
  readonly #tell: Tell;
  readonly #signal: AbortSignal;
  readonly #budget: WorkBudget;
  /** The engine's own session that the next agent goes on with. */
  #engineSession: string | undefined;
  /** Whether an agent of this drive has worked already: the next one knows what came before. */
  #isUnderWay = false;
  #last: WorkAgentEnd | undefined;
  /** The state as it was read last: its file may be removed while an agent works. */
  #state: WorkState;

  constructor(parts: WorkParts, { plan, request, session }: Drive, tell: Tell, signal: AbortSignal) {
    this.#parts = parts;
    this.#plan = plan;
    this.#request = request;
    this.#session = session;
    this.#tell = tell;
    this.#signal = signal;
    this.#budget = new WorkBudget(plan.agent.limits, parts.agents.time.newClock());
    this.#engineSession = plan.session?.engineSession?.session;
    this.#state = parts.states.read(session) ?? newState(session, plan.bead.id);
  }

  async run(): Promise<void> {
    const { reason, error } = await this.#goThrough().catch(judgeRefusal);
    return reason === "done" ? this.#complete() : this.#stop(reason, error);
  }

  /** Works on one task after the other, until none is left or one stops the work. */
  async #goThrough(): Promise<WorkVerdict> {
    let task: Bead | null | undefined = firstTask(this.#parts, this.#plan.bead, this.#session);
    while (task) {
      const limit = this.#budget.reached();
      if (limit !== undefined) return { reason: "limit", error: limit };
      await this.#begin(task);
      const verdict = await this.#workOn(task);
      if (verdict.reason !== "done") return verdict;
      const next = await this.#finishTask(verdict.result);
      if (next?.id === task.id) return { reason: "failed", error: `its result is for another task than ${task.id}` };
      task = next;
    }
    const { id } = this.#plan.bead;
    const open = openBelow(this.#parts, id);
    if (countOpen(this.#parts, id) === 0) return { reason: "done" };
    const some = open.length > 3 ? `${open.slice(0, 3).join(", ")} and ${open.length - 3} more` : open.join(", ");
    return { reason: "waiting", error: `${some} below ${id} cannot be worked on now` };
  }

  async #begin(task: Bead): Promise<void> {
    const { states } = this.#parts;
    await beginTask(this.#parts, task, this.#session);
    await this.#readState();
    await states.change(this.#session, (state) => ({ ...state, current: task.id }));
  }

  /** Has agents work on the task, and on those that they take up by themselves, until one has ended. */
  async #workOn(task: Bead): Promise<WorkVerdict> {
    const prompt = taskPrompt(this.#parts, task, this.#session);
    const resume = this.#engineSession;
    this.#tell({
      type: "task",
      session_id: this.#session,
      engine: this.#plan.agent.engine,
      task: { id: task.id, title: task.title },
      resumes: resume ?? null,
    });
    let end = await this.#runAgent(task, await this.#promptFor(prompt, resume), resume);
    if (resume !== undefined && isSessionLost(end)) {
      // Its own session is gone: the record tells another one what was done.
      end = await this.#runAgent(task, await fromRecordPrompt(this.#parts, this.#taker(undefined), prompt), undefined);
    }
    const verdict = await this.#judge(end);
    const { engine_session: engineSession } = end.news;
    if (!verdict.isRepairable || !this.#parts.agents.repairs || engineSession === null) return verdict;
    return this.#judge(
      await this.#runAgent(task, { prompt: repairPrompt(verdict.error ?? ""), hasRehydration: false }, engineSession),
    );
  }

  async #promptFor(prompt: string, resume: string | undefined): Promise<WorkPrompt> {
    const isNew = this.#plan.session === undefined && !this.#isUnderWay;
    if (isNew || (resume !== undefined && this.#isUnderWay)) return { prompt, hasRehydration: false };
    const taker = this.#taker(resume);
    return resume === undefined ? fromRecordPrompt(this.#parts, taker, prompt) : goOnPrompt(this.#parts, taker, prompt);
  }

  #taker(engineSession: string | undefined): WorkTaker {
    const { session, agent } = this.#plan;
    return takerOf({ id: this.#session, engineBefore: session?.engineBefore }, agent.engine, engineSession);
  }

  async #runAgent(
    task: Bead,
    { prompt, hasRehydration }: WorkPrompt,
    resume: string | undefined,
  ): Promise<WorkAgentEnd> {
    const request = {
      session: this.#session,
      task,
      prompt,
      hasRehydration,
      choice: this.#plan.agent,
      resume,
      goOnCommand: this.#goOnCommand(),
    };
    const end = await runWorkAgent(this.#parts, request, this.#budget, this.#tell, this.#signal);
    this.#last = end;
    this.#isUnderWay = true;
    const canResume = this.#parts.agents.agents.traitsOf(this.#plan.agent.engine)?.abilities.resume === true;
    this.#engineSession = canResume ? (end.news.engine_session ?? undefined) : undefined;
    return end;
  }

  /** What the agent closed by `clew ai sync` counts, whatever it said in the end. */
  async #judge(end: WorkAgentEnd): Promise<WorkVerdict> {
    const state = await this.#readState();
    return state.current === null ? { reason: "done" } : judgeWork(end, state);
  }

  /** Closes the task of this result, and takes up the next one. One that was closed by `clew ai sync` stays closed. */
  async #finishTask(result: AgentResult | undefined): Promise<Bead | null> {
    const { states, beads } = this.#parts;
    await this.#readState();
    const state = await states.change(this.#session, async (before) => {
      if (!result) return before;
      const { state: after, closed } = await advance(this.#parts, before, result);
      if (closed) {
        const task = { id: closed.id, title: beads.store.find(closed.id)?.title ?? "" };
        const { summary } = result;
        this.#tell({ type: "task_done", session_id: this.#session, task, summary, completed: closed.completed });
      }
      return after;
    });
    return state.current === null ? null : (beads.store.find(state.current) ?? null);
  }

  async #readState(): Promise<WorkState> {
    this.#state = (await stateOf(this.#parts, this.#session, this.#state)) ?? this.#state;
    return this.#state;
  }

  async #complete(): Promise<void> {
    const { sessions } = this.#parts.log;
    await this.#readState();
    await this.#parts.claims.release(this.#plan.bead.id, this.#session);
    await endSession(sessions, this.#session, "completed");
    this.#tellEnd("done", "completed");
  }

  /** The bead is what it was before the claim, which stays; the session says why it stopped. */
  async #stop(reason: Exclude<StopReason, "done">, error: string | undefined): Promise<void> {
    const { log, states } = this.#parts;
    const { current, bead } = await this.#readState();
    const isWhole = await giveBackTasks(this.#parts, [...(current === null ? [] : [current]), bead], this.#session);
    // The next one may have been refused after this one was closed.
    const isClosed = current !== null && statusOf(this.#parts, current) === "closed";
    const closed = isClosed && !this.#state.done.includes(current) ? [current] : [];
    const stopped = needsPerson.has(reason)
      ? { stopped: { reason, message: error ?? reason, next: this.#last?.news.limit?.command ?? this.#goOnCommand() } }
      : {};
    this.#state = await states.change(this.#session, ({ stopped: _, ...each }) => ({
      ...each,
      // A bead that is away now is given back by a later look.
      current: isWhole ? null : each.current,
      done: [...each.done, ...closed],
      ...stopped,
    }));
    if (reason === "failed") {
      // What the engine itself told of its failure is logged already.
      if (error !== undefined && this.#last?.end.outcome !== "failed")
        await logEntry(log, this.#session, { kind: "error", text: error });
      await endSession(log.sessions, this.#session, "failed", error);
    } else {
      if (error !== undefined && reason !== "limit" && reason !== "interrupted")
        await logEntry(log, this.#session, { kind: "remark", text: `Stopped: ${error}` });
      await pauseSession(log.sessions, this.#session);
    }
    if (!isWhole) log.sessions.records.markOpen(this.#session);
    this.#tellEnd(reason, reason === "failed" ? "failed" : "paused", error);
  }

  #tellEnd(reason: StopReason, status: "completed" | "paused" | "failed", error?: string): void {
    const state = this.#state;
    const { limit, engine_session = null, answer = "" } = this.#last?.news ?? {};
    const { usage, rounds } = this.#budget.total;
    this.#tell({
      type: "ended",
      session_id: this.#session,
      bead: state.bead,
      status,
      reason,
      engine_session,
      answer,
      done: state.done,
      next: reason === "done" ? null : this.#goOnCommand(),
      ...(error !== undefined && { error }),
      ...(usage && { usage }),
      ...(rounds > 0 && { rounds }),
      ...(limit && reason === "limit" && { limit }),
    });
  }

  #goOnCommand(): string {
    return `clew work ${this.#request.kind} ${this.#plan.bead.id}`;
  }
}
