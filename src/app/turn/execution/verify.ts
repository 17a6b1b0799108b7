import { ClewError } from "../../../contract/errors.ts";
import type { TurnLine } from "../../../contract/turn.ts";
import { compareTurns } from "../../../turn/names.ts";
import type { TurnStore } from "../ports.ts";
import type { ExecutionParts } from "./parts.ts";

type State = "intact" | "changed" | "missing" | "unknown";

interface VerifiedTurn {
  turn: string;
  status: State;
  files: { name: string; status: State }[];
}

interface VerifiedSession {
  session_id: string;
  turns: VerifiedTurn[];
  /** What is wrong with its turns.jsonl, of which only the other lines are compared. */
  problem?: string;
}

interface Verification {
  sessions: VerifiedSession[];
  intact: boolean;
}

/** Compares the folders of turns with the hashes in turns.jsonl: of one session, or of all. What is damaged keeps nothing else from being compared. */
export async function verifyTurns(parts: ExecutionParts, name: string | undefined): Promise<Verification> {
  const ids = name === undefined ? await parts.sessions() : [await parts.find(name)];
  const sessions = ids.map((id) => verifiedSession(parts.store, id));
  const isIntact = ({ turns, problem }: VerifiedSession): boolean =>
    problem === undefined && turns.every(({ status }) => status === "intact");
  return { sessions, intact: sessions.every(isIntact) };
}

function verifiedSession(store: TurnStore, session: string): VerifiedSession {
  const { lines, problem } = linesOf(store, session);
  const expected = hashesByTurn(lines);
  const names = new Set([...expected.keys(), ...store.folders(session)]);
  const turns = [...names]
    .sort(compareTurns)
    .map((turn) => verifiedTurn(turn, expected.get(turn), store.hashes(session, turn)));
  return { session_id: session, turns, ...(problem && { problem: problem.message }) };
}

function linesOf(store: TurnStore, session: string): ReturnType<TurnStore["readableLines"]> {
  try {
    return store.readableLines(session);
  } catch (error) {
    if (error instanceof ClewError) return { lines: [], problem: error };
    throw error;
  }
}

/** A later line about a turn has the hashes of all that is there by then, or of what came. */
function hashesByTurn(lines: readonly TurnLine[]): Map<string, Record<string, string>> {
  const byTurn = new Map<string, Record<string, string>>();
  for (const line of lines) if ("hashes" in line) byTurn.set(line.turn, { ...byTurn.get(line.turn), ...line.hashes });
  return byTurn;
}

function verifiedTurn(
  turn: string,
  expected: Record<string, string> | undefined,
  found: Record<string, string>,
): VerifiedTurn {
  if (!expected)
    return { turn, status: "unknown", files: Object.keys(found).map((name) => ({ name, status: "unknown" })) };
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  const files = names.map((name) => ({ name, status: fileState(expected[name], found[name]) }));
  const isGone = Object.keys(found).length === 0;
  const told = new Set(files.map(({ status }) => status));
  const worst = (["changed", "missing", "unknown"] as const).find((each) => told.has(each));
  return { turn, status: isGone ? "missing" : (worst ?? "intact"), files };
}

function fileState(expected: string | undefined, found: string | undefined): State {
  if (expected === undefined) return "unknown";
  if (found === undefined) return "missing";
  return expected === found ? "intact" : "changed";
}
