import type { Phase } from "../../contract/session.ts";
import { findMark } from "../../text/redaction-mark.ts";
import { loggedCallOf } from "../logged-calls/logged-call.ts";
import type { OwnRoots } from "./own-roots.ts";
import { commandKey, plainWords } from "./plain-command.ts";
import type { WorkingFolder } from "./working-folder.ts";

/** A command that a phase ran. */
export interface RanCommand {
  text: string;
  failed: boolean;
  /** As a person reads it: with the folder, where that is not the root, and whether it went on in the background. */
  told: string;
  /** Its words, where it is nothing but words, ran at the root and was waited for. */
  words: string[] | undefined;
  /** Why it has none; undefined where it has. */
  whyNot: string | undefined;
  /** The same for the same words; for any other, what is told of it. */
  key: string;
  /** Whether a secret of it was redacted: nobody can run it as it stands here. */
  lacksSecret: boolean;
}

export interface Approval {
  question: string;
  /** Undefined while there is no answer. */
  answer: string | undefined;
}

/** What was done in a phase, as far as its entries tell. */
export interface PhaseWork {
  title: string;
  agent: string | undefined;
  channel: string | undefined;
  commands: RanCommand[];
  wrote: string[];
  read: string[];
  /** Whether tools were used beside commands. */
  usedTools: boolean;
  /** A person's own words. */
  asked: string[];
  decided: string[];
  approvals: Approval[];
  failures: string[];
  /** What the agent said that it did, in the end. */
  outcome: string | undefined;
  /** What agents were given to do that worked for this one. */
  delegated: string[];
  said: boolean;
  /** All calls in their order, for names that come from one phase and go to another. */
  calls: { args: string; result: string | undefined }[];
}

/** What questions about permissions look like: they are about one call, and no part of a workflow. */
const permission = /\bmay (?:its|the) agent use\b/;

/** What later phases of a session go on from. */
export interface SessionSoFar {
  /** By their ids: the answer may stand in a later phase. */
  questions: Map<string, Approval>;
  folder: WorkingFolder;
}

/** Reads what was done in a phase. Adds to what is known of the session, and answers the questions that it has answers to. */
export function phaseWork(phase: Phase, roots: OwnRoots, { questions, folder }: SessionSoFar): PhaseWork {
  const { title, agent, channel } = phase;
  const work: PhaseWork = {
    title,
    agent: agent ?? undefined,
    channel: channel ?? undefined,
    commands: [],
    wrote: [],
    read: [],
    usedTools: false,
    asked: [],
    decided: [],
    approvals: [],
    failures: [],
    outcome: undefined,
    delegated: [],
    said: false,
    calls: [],
  };
  const wrote = new Set<string>();
  const read = new Set<string>();
  for (const entry of phase.entries) {
    switch (entry.kind) {
      case "tool": {
        const call = loggedCallOf(entry);
        work.calls.push({ args: entry.args, result: entry.result });
        if (call.kind === "shell") {
          const ran = ranCommand(call, entry.failed, roots, folder);
          if (ran) work.commands.push(ran);
          break;
        }
        work.usedTools = true;
        if (entry.failed || call.kind === "other") break;
        for (const file of call.files) (call.kind === "edit" ? wrote : read).add(roots.relativePath(file));
        break;
      }
      case "user":
        work.asked.push(entry.text);
        break;
      case "decision":
        work.decided.push(entry.text);
        break;
      case "approval_required": {
        const asked: Approval = { question: entry.text, answer: undefined };
        if (entry.id !== undefined) questions.set(entry.id, asked);
        if (!permission.test(entry.text)) work.approvals.push(asked);
        break;
      }
      case "answer": {
        const asked = questions.get(entry.id);
        if (asked) asked.answer = entry.text;
        else work.decided.push(entry.text);
        break;
      }
      case "error":
        work.failures.push(entry.resolution === undefined ? entry.text : `${entry.text}: ${entry.resolution}`);
        break;
      case "task_complete":
        work.outcome = entry.text;
        break;
      case "subagent":
        work.delegated.push(entry.summary === undefined ? entry.agent : `${entry.agent}: ${entry.summary}`);
        break;
      case "text":
        work.said = true;
    }
  }
  return { ...work, wrote: [...wrote], read: [...read] };
}

/** Undefined for what only goes to the root. */
function ranCommand(
  call: Parameters<WorkingFolder["see"]>[0],
  failed: boolean,
  roots: OwnRoots,
  folder: WorkingFolder,
): RanCommand | undefined {
  const ran = folder.see(call, failed);
  if (!ran) return undefined;
  const { command, where } = ran;
  const words = ran.whyNot === undefined ? plainWords(command, roots) : undefined;
  const told = `${roots.shortened(command)}${where}`;
  return {
    text: command,
    failed,
    told,
    words,
    whyNot: ran.whyNot ?? (words ? undefined : "is more than words"),
    key: words ? commandKey(words) : told,
    lacksSecret: findMark(command) !== undefined,
  };
}

/** Whether anything was done that a step could do again. */
export function isWork({
  commands,
  usedTools,
  asked,
  decided,
  approvals,
  outcome,
  delegated,
  said,
}: PhaseWork): boolean {
  const words = asked.length + decided.length + approvals.length + delegated.length;
  return commands.length > 0 || usedTools || words > 0 || outcome !== undefined || said;
}

/** Whether a phase only ran commands, by itself: no person asked for it, nothing was decided in it, and no other agent worked. */
export function onlyRuns({ commands, usedTools, asked, decided, approvals, delegated }: PhaseWork): boolean {
  return commands.length > 0 && !usedTools && asked.length + decided.length + approvals.length + delegated.length === 0;
}

const approving = /^\W*(?:y|yes|yep|ok|okay|approved?|go ahead|lgtm|ship it|sure)(?![\w-])/i;
/** Words that approve only where no other work follows, as in `do it again with tests`. */
const approvingAlone = /^\W*(?:do it|fine)(?=\W*$|[.,;!]| (?:now|then|please|(?:by|with|for) me)\b)/i;

export function isApproved({ answer }: Approval): boolean {
  return answer !== undefined && (approving.test(answer) || approvingAlone.test(answer));
}
