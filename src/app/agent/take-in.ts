import type { EngineEvent } from "../../contract/engine.ts";
import type { PermissionLevel } from "../../contract/engine-abilities.ts";
import type { LiveAgent } from "../../contract/live-agent.ts";
import { AgentRecording, type AgentWrite } from "../../engine/agent-recording.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { engineSessionsIn, withEngineSession, type EngineSession } from "../../session/engine-sessions.ts";
import type { Item } from "../../session/items.ts";
import { parseItems } from "../../session/parse.ts";
import { transcriptStart } from "../../session/transcript-name.ts";
import type { Agents } from "../engine/agents.ts";
import { changeSession } from "../session/change.ts";
import type { LogParts } from "../session/log.ts";
import { projectedPhases } from "../session/missing-entries.ts";
import { CostShares, uncountedCost } from "./cost-shares.ts";
import { mendSubagents } from "./mend-subagents.ts";
import { writeEntries, writeMissing } from "./write-missing.ts";

/** An agent whose driver died, as far as it is known. */
export type DeadAgent = Omit<LiveAgent, "process">;

interface Parts {
  log: LogParts;
  agents: Pick<Agents, "replay">;
}

export interface DeadAgentsSession {
  session: string;
  /** The title of the phase that the agent began. */
  phase: string;
  /** The bead that it worked on. */
  task?: string;
  /** Hears all that the transcript tells, with its line and its time. */
  onEvent?: (event: EngineEvent, line: number, atMs: number) => void;
}

/** Writes what the transcript of a dead agent has and its session has not. False when there is no such transcript. */
export async function takeInTranscript(
  { log, agents }: Parts,
  { session, phase: title, task, onEvent }: DeadAgentsSession,
  agent: DeadAgent,
): Promise<boolean> {
  const { engine, folder, transcript, resume, level, model, subagent_mode: mode } = agent;
  const at = new Date(transcriptStart(transcript)?.atMs ?? log.sessions.clock.now()).toISOString();
  const recording = new AgentRecording();
  const writes: AgentWrite[] = [];
  let engineSession = resume;
  const used = await agents.replay(
    {
      engine,
      transcript: { owner: session, name: transcript },
      task: { level, ...(model !== undefined && { model }) },
      ...(resume !== undefined && { resume }),
      folder,
    },
    (event, line, atMs) => {
      if (event.type === "init") engineSession = event.engine_session ?? engineSession;
      writes.push(...recording.add(event));
      onEvent?.(event, line, atMs);
    },
  );
  if (!used) return false;
  const origin = { at, transcript };
  const all = [...writes, ...recording.end()];
  const subagents = await mendSubagents(log, { session, engine, task, origin, mode }, all);
  const phase = { kind: "phase" as const, title, agent: engine, opened: origin };
  await writeMissing(log, session, transcript, [phase, ...subagents.own], at);
  await subagents.settle();
  if (engineSession !== undefined) await noteEngineSession(log, session, { engine, session: engineSession, folder });
  await addMissingCost(log, session, { engine, transcript, task }, used.usage?.cost_usd);
  return true;
}

/**
 * The agent that worked last in an active session, by the place of its transcript, where nothing else tells of it any more. `label` is
 * what its transcripts are called. Undefined when the session does not tell of that transcript, or went on after it.
 */
export async function lastAgent(
  { sessions }: LogParts,
  session: string,
  { label, folder, level }: { label: string; folder: string; level: PermissionLevel },
): Promise<DeadAgent | undefined> {
  const starts = sessions.records
    .transcriptNames(session)
    .map((name) => ({ name, start: transcriptStart(name) }))
    .flatMap(({ name, start }) => (start?.label === label ? [{ name, ...start }] : []))
    .toSorted((a, b) => a.atMs - b.atMs || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
  const last = starts.at(-1);
  if (!last) return undefined;
  const { engine, name: transcript } = last;
  const { frontmatter, text, bodyStart } = await sessions.records.read(session);
  const since = itemsSince(text.slice(bodyStart), transcript);
  if (since.length === 0 || since.some(tellsOfEnd)) return undefined;
  const known = engineSessionsIn(frontmatter).findLast((each) => each.engine === engine);
  const isFirst = starts.filter((each) => each.engine === engine).length === 1;
  return {
    engine,
    level,
    ...(known && !isFirst && { resume: known.session }),
    folder: known?.folder ?? folder,
    transcript,
  };
}

/** A remark on the agent's own context is none on its end. */
function tellsOfEnd(item: Item): boolean {
  return item.kind === "remark" && item.about !== "compacted" && item.about !== "rehydrated";
}

/** What stands in a body from the phase on that a transcript opened; nothing when there is no such phase. */
function itemsSince(body: string, transcript: string): Item[] {
  const phase = [...projectedPhases(body)].find(({ origin }) => origin === transcript);
  return phase ? parseItems(body.slice(phase.start)) : [];
}

async function noteEngineSession(log: LogParts, id: string, engineSession: EngineSession): Promise<void> {
  const { frontmatter } = await log.sessions.records.read(id);
  const engine_sessions = withEngineSession(engineSessionsIn(frontmatter), engineSession);
  await changeSession(log.sessions, id, async (record) => {
    await record.set(redactRecord({ engine_sessions }, log.redact));
    return record.save();
  });
}

/** What the entries of the agent's phases lack of its cost. */
async function addMissingCost(
  log: LogParts,
  id: string,
  agent: { engine: string; transcript: string; task: string | undefined },
  totalUsd: number | undefined,
): Promise<void> {
  if (totalUsd === undefined) return;
  const before = await uncountedCost(log.sessions, id);
  const { text, bodyStart } = await log.sessions.records.read(id);
  const items = itemsSince(text.slice(bodyStart), agent.transcript).filter((item) => item.kind === "tokens");
  const countedUsd = items.reduce((sum, { cost_usd = 0 }) => sum + cost_usd, 0);
  const costs = new CostShares(agent.engine, countedUsd);
  for (const { task = agent.task, tokens } of items) costs.used(task, tokens);
  const entries = costs.take(totalUsd);
  if (entries.length > 0) await writeEntries(log, id, [...before, ...entries]);
}
