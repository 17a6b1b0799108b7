import type { Redact, Redacted } from "../../../contract/redacted.ts";
import type { Caller } from "../../run/ports.ts";
import type { SessionDrivers } from "../../session/drivers.ts";
import type { TurnStore } from "../ports.ts";
import type { CallJudge } from "./approval.ts";
import type { AskAgent, FetchPage, PlanCommands, TurnJournals, WorkFiles } from "./ports.ts";

/** What executions need of everything around them. */
export interface ExecutionParts {
  /** A session of turns by its name; the most recently created one without. Throws a ClewError. */
  find: (name: string | undefined) => Promise<string>;
  /** All sessions that have turns. */
  sessions: () => Promise<string[]>;
  /** Throws when the session has ended. */
  refuseEnded: (session: string) => Promise<void>;
  store: TurnStore;
  journals: TurnJournals;
  files: WorkFiles;
  sha256: (bytes: Uint8Array) => string;
  commands: PlanCommands;
  fetchPage: FetchPage;
  askAgent: AskAgent;
  rules: CallJudge;
  memos: MemoFile;
  /** The process that asks for all this. */
  caller: () => Promise<Caller>;
  /** One process at a time changes the turns of a session. */
  drivers: SessionDrivers;
  settings: {
    /** What the user's own settings answer where nobody is asked. */
    memos: "ask" | "accept" | "reject";
    executeTimeoutMs: number;
  };
  redact: Redact;
  time: {
    now: () => number;
    /** Never jumps. */
    elapsedMs: () => number;
  };
  /** Tells the person what need not stop the command. */
  warn: (message: string) => void;
  /** Brings session.md up to date with the turns. */
  project: (session: string) => Promise<void>;
  /** A file of a turn, below the root. */
  pathOf: (session: string, turn: string, file: string) => string;
  /** A text that is kept elsewhere with this hash, for a plan.md that was changed; undefined when it cannot be had. */
  originalPlan: (session: string, turn: string, sha256: string) => Promise<string | undefined>;
}

/** `.clew/memos.yaml`. */
export interface MemoFile {
  read(): string | undefined;
  /** On disk when it returns. */
  write(text: Redacted<string>): void;
}
