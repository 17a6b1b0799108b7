import { beadsBelow } from "../../bead/below.ts";
import { isUnfinished } from "../../bead/readiness.ts";
import type { WorkRequest } from "../../contract/api/work.ts";
import type { Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Frontmatter } from "../../contract/session.ts";
import type { WorkState } from "../../contract/work-state.ts";
import { resolveBead } from "../bead/find.ts";
import { refuseEngine, talkOptions, type TalkOptions } from "../agent/talk-options.ts";
import { refuseClosed } from "../run/refusals.ts";
import { resumableSessionsIn, type EngineSession } from "../../session/engine-sessions.ts";
import { heldByWork } from "./work-holder.ts";
import type { WorkParts } from "./parts.ts";
import { refuseRun } from "./tasks.ts";

/** What `clew work` is about to do. Made by reading alone. */
export interface WorkPlan {
  bead: Bead;
  /** Whether it contains others: a track or a stage. */
  isContainer: boolean;
  /** The session to go on with; undefined when a new one is needed. */
  session: ResumedSession | undefined;
  agent: AgentChoice;
}

export interface ResumedSession {
  id: string;
  /** The engine's own session that goes on; undefined when the engine begins anew. */
  engineSession: EngineSession | undefined;
  /** What worked in it last. */
  engineBefore: string | undefined;
}

export interface AgentChoice extends TalkOptions {
  engine: string;
  /** What was asked for, to be remembered. */
  asked: NonNullable<WorkState["asked"]>;
}

/** Throws a ClewError when the work cannot begin. Writes nothing. */
export async function planWork(parts: WorkParts, request: WorkRequest): Promise<WorkPlan> {
  const { store } = parts.beads;
  const bead = store.find(resolveBead(store, request.bead))!;
  const below = beadsBelow(store.all().beads, bead.id);
  refuseClosed(bead);
  refuseRun(parts, bead);
  refuseContainer(request, bead, below);
  refuseWaiting(parts, request, bead);
  await store.refuseUnwritable();
  const sessionId = await sessionFor(parts, request, bead);
  const frontmatter = sessionId === undefined ? undefined : await resumable(parts, sessionId, bead);
  const known = frontmatter ? resumableSessionsIn(frontmatter) : [];
  const agent = await chooseAgent(parts, { ...askedBefore(parts, sessionId, request, known), ...request }, known);
  const isContainer = below.length > 0;
  if (sessionId === undefined) return { bead, isContainer, session: undefined, agent };
  const resumed = known.findLast(({ engine, folder }) => engine === agent.engine && folder === parts.place.folder);
  const canResume = parts.agents.agents.traitsOf(agent.engine)?.abilities.resume === true;
  const engineSession = canResume ? resumed : undefined;
  const engineBefore = known.at(-1)?.engine;
  return { bead, isContainer, session: { id: sessionId, engineSession, engineBefore }, agent };
}

/** A single task does not do the work of those below it. */
function refuseContainer({ kind }: WorkRequest, bead: Bead, below: Bead[]): void {
  if (kind === "track" || kind === "phase") return;
  const count = below.filter(isUnfinished).length;
  if (count === 0) return;
  throw new ClewError(
    "invalid_input",
    `${bead.id} contains ${count} unfinished ${count === 1 ? "bead" : "beads"}, so it is no single ${kind}`,
    `clew work track ${bead.id} works on what is ready below it`,
  );
}

function refuseWaiting({ beads }: WorkParts, { kind, anyway = false }: WorkRequest, bead: Bead): void {
  const open = anyway ? [] : beads.openDependencies(bead);
  if (open.length === 0) return;
  throw new ClewError(
    "not_possible_now",
    `bead ${bead.id} waits for ${open.join(", ")}, which ${open.length === 1 ? "is" : "are"} not closed`,
    `clew bead dep tree ${bead.id} shows why; clew work ${kind} ${bead.id} --anyway works on it all the same`,
  );
}

/** The session that is named, or the one that the bead has. */
async function sessionFor(parts: WorkParts, { session }: WorkRequest, bead: Bead): Promise<string | undefined> {
  const holder = parts.claims.holder(bead.id)?.session;
  if (session === undefined) return holder ?? (await openSessionOf(parts, bead));
  const id = await parts.find(session);
  if (holder !== undefined && holder !== id) throw heldByWork(bead.id, holder);
  return id;
}

/** The bead's own session that lost its claim; the newest one. */
export async function openSessionOf({ log }: WorkParts, bead: Bead): Promise<string | undefined> {
  const { records, projections } = log.sessions;
  // Where there is no session, no index need be made.
  if (records.ids().length === 0) return undefined;
  const rows = await projections.ask((index) =>
    (["active", "paused", "failed"] as const).flatMap((status) => index.newest({ kind: "work", status }, Infinity)),
  );
  return rows
    .filter((row) => row.bead === bead.id && row.parent === null)
    .toSorted((a, b) => (a.started < b.started ? 1 : -1))[0]?.session_id;
}

/** Throws when the session is another's, is over, or stands on another branch. */
async function resumable({ log, place }: WorkParts, id: string, bead: Bead): Promise<Frontmatter> {
  const { frontmatter } = await log.sessions.records.read(id);
  const { kind, status, branch, bead: ownBead } = frontmatter;
  if (kind !== "work") {
    throw new ClewError(
      "invalid_input",
      `${id} is a session of kind ${kind}, not of work`,
      `clew session resume ${id} goes on with it`,
    );
  }
  if (status === "completed" || status === "abandoned") {
    const hint = `clew work task ${bead.id} without --session begins another one`;
    throw new ClewError("invalid_input", `session ${id} is ${status}, and its work is over`, hint);
  }
  if (ownBead !== undefined && ownBead !== bead.id) {
    throw new ClewError(
      "invalid_input",
      `session ${id} works on ${ownBead}, not on ${bead.id}`,
      `clew session resume ${id} goes on with it`,
    );
  }
  const now = place.branch();
  if (branch !== undefined && now !== branch && ownBead !== undefined) {
    throw new ClewError(
      "not_possible_now",
      `session ${id} works on the branch ${branch}, and ${now ?? "no branch"} is checked out`,
      `git switch ${branch}; or give the session up: clew session end ${id} --status abandoned`,
    );
  }
  return frontmatter;
}

/** What was asked for last. A model belongs to its engine. */
function askedBefore(
  { states }: WorkParts,
  session: string | undefined,
  { engine }: WorkRequest,
  known: EngineSession[],
): WorkState["asked"] {
  const { model, ...asked } = (session === undefined ? undefined : states.read(session)?.asked) ?? {};
  const isSameEngine = engine === undefined || engine === known.at(-1)?.engine;
  return { ...asked, ...(model !== undefined && isSameEngine && { model }) };
}

/** What was asked for goes first, then the agent's file, then the engine that the session had last. */
async function chooseAgent(
  { agents }: WorkParts,
  { engine: wanted, ...request }: WorkRequest,
  known: EngineSession[],
): Promise<AgentChoice> {
  const file = request.agent === undefined ? undefined : await agents.requireAgent(request.agent);
  const engine = wanted ?? file?.engine ?? known.at(-1)?.engine ?? agents.defaultEngine;
  refuseEngine(agents.engines, agents.settings, engine);

  const { agent, level, model } = request;
  const asked = { ...(agent && { agent }), ...(level && { level }), ...(model && { model }) };
  return { engine, ...talkOptions({ ...request, engine }, file), asked };
}
