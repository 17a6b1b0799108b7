import { ClewError } from "../../../contract/errors.ts";
import type { TurnLine } from "../../../contract/turn.ts";
import { estimateTokens } from "../../../session/resume/tokens.ts";
import { readContextLog, writeContextLog, type ContextLog } from "../../../turn/log/context-log.ts";
import { systemText } from "../../../turn/log/plan-form.ts";
import { turnStates, type PlanPlace, type TurnState } from "../../../turn/turn-states.ts";
import type { TurnParts } from "../parts.ts";
import { reportOf, requiredText, turnText } from "../read-turn.ts";
import { listedContext, type ListedContext } from "./turn-context.ts";

const firstAgent = "pathfinder";

/** Whom the last turn handed over to, and with which words. */
export interface Handover {
  agent: string;
  text: string;
}

type Parts = Pick<TurnParts, "store" | "files" | "readRefusal" | "pathOf" | "requireAgent">;

/** The agent that plans when none is named: the one that was handed over to, else the one that was used last, else the first. */
export async function agentOfPlan(
  parts: Pick<Parts, "store">,
  session: string,
  lines: readonly TurnLine[],
  { after, branchOf }: PlanPlace,
): Promise<{ agent: string; handover?: Handover }> {
  const agentIn = (turn: string | null | undefined): string | undefined =>
    turnStates(lines).find((state: TurnState) => state.turn === turn)?.planned?.agent;
  const recorded = agentIn(branchOf);
  if (recorded !== undefined) return { agent: recorded };
  const handover = after === null ? undefined : await handoverOf(parts, session, after);
  const agent = handover?.agent ?? agentIn(after) ?? firstAgent;
  return { agent, ...(handover && { handover }) };
}

async function handoverOf(
  { store }: Pick<Parts, "store">,
  session: string,
  turn: string,
): Promise<Handover | undefined> {
  const report = await reportOf(store, session, turn);
  const invoked = report?.action_log.findLast(({ type, status }) => type === "INVOKE" && status === "SUCCESS");
  const { agent, text } = invoked?.parameters ?? {};
  return typeof agent === "string" && typeof text === "string" ? { agent, text } : undefined;
}

/** What the agent of the next plan is told, but for the message, and the files behind it. */
export interface PlanContext {
  log: Omit<ContextLog, "message">;
  /** Paths, one a line: `turn.context`. */
  list: string;
  listed: ListedContext;
}

/** What the next plan is given: as it is now, or in a branch as it was recorded. `agent` is one that was named; the recorded one stays without. */
export async function contextOfPlan(
  parts: Parts,
  session: string,
  { turn, after, branchOf }: PlanPlace,
  { agent, isNamed }: { agent: string; isNamed: boolean },
): Promise<PlanContext> {
  if (branchOf !== undefined) {
    const { message: _, ...log } = recordedLog(parts, session, turn);
    const system = isNamed ? systemText(agent, (await parts.requireAgent(agent)).role) : log.system;
    const list = requiredText(parts.store, session, turn, "turn.context");
    return { log: { ...log, system }, list, listed: recordedFiles(log) };
  }
  const { role } = await parts.requireAgent(agent);
  const listed = await listedContext(parts, session, after, agent);
  const report = after === null ? undefined : reportText(parts, session, after);
  const log = {
    system: systemText(agent, role),
    memos: await memosOf(parts),
    ...(after !== null && report !== undefined && { report: { turn: after, text: report } }),
    files: listed.shown,
    missing: listed.missing,
  };
  return { log, list: listed.files.map(({ path }) => `${path}\n`).join(""), listed };
}

/** The report of a turn, with a line that says when its changes were taken back since. */
function reportText({ store }: Pick<Parts, "store">, session: string, turn: string): string | undefined {
  const report = turnText(store, session, turn, "report.md");
  const undone = turnStates(store.lines(session)).find((state) => state.turn === turn)?.undone;
  if (report === undefined || !undone) return report;
  const files = undone.files.map(({ path }) => path).join(", ");
  return `${report}# A person has since undone this turn: these files are as they were before it: ${files}\n`;
}

/** What all of it is in tokens, estimated from above. Files are not read through again. */
export function tokensOfPlan({ log, listed }: Pick<PlanContext, "log" | "listed">, message: string): number {
  const around = writeContextLog({ ...log, files: [], message });
  const files = listed.files.reduce((sum, { path, tokens }) => sum + tokens + estimateTokens(path) + tokensOfFences, 0);
  return estimateTokens(around) + files;
}

/** The lines around a file. */
const tokensOfFences = 20;

/** The log of a turn. Throws a ClewError when it was changed so that it cannot be read. */
function recordedLog({ store }: Pick<Parts, "store">, session: string, turn: string): ContextLog {
  const log = readContextLog(requiredText(store, session, turn, "_context.log"));
  if (log) return log;
  throw new ClewError(
    "damaged_session",
    `${session}/${turn}/_context.log was changed, and cannot be read any more`,
    "git checkout brings it back as it was; docs/formats/context-log.md tells its form",
  );
}

/** The files of a recorded log, which does not say which list they came from. */
function recordedFiles({ files, missing }: Omit<ContextLog, "message">): ListedContext {
  const level = "recorded";
  const listed = files.map((file) => {
    if ("omitted" in file) return { path: file.path, level, bytes: 0, tokens: 0, skipped: file.omitted } as const;
    const { path, content } = file;
    return { path, level, bytes: new TextEncoder().encode(content).length, tokens: estimateTokens(content) } as const;
  });
  const gone = missing.map((path) => ({ path, level, bytes: 0, tokens: 0, missing: true }) as const);
  return { files: [...listed, ...gone], removed: [], shown: files, missing, empty: [] };
}

async function memosOf({ files }: Pick<Parts, "files">): Promise<string[]> {
  const text = files.memos();
  if (text === undefined || text.trim() === "") return [];
  const { readMemos } = await import("../../../turn/memos/read-memos.ts");
  const { memos, problems } = readMemos(text);
  if (memos) return memos;
  const [first] = problems;
  throw new ClewError(
    "invalid_input",
    `${first!.file}:${first!.line}: ${first!.message}`,
    first!.hint ?? "it is a list of texts: - Use pnpm",
  );
}
