import type { Phase } from "../../contract/session.ts";
import { findMark } from "../../text/redaction-mark.ts";
import { loggedCallOf } from "./logged-call.ts";
import { commandKey, plainWords, relativePath } from "./plain-command.ts";

/** A command that a phase ran. */
export interface RanCommand {
  text: string;
  failed: boolean;
  /** Its words, where it is nothing but words. */
  words: string[] | undefined;
  /** The same for the same words; the text itself for any other. */
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
  said: boolean;
  /** Whom it gave work to, and what came of it. */
  subagents: { agent: string; summary: string | undefined }[];
  /** All calls in their order, for names that come from one phase and go to another. */
  calls: { args: string; result: string | undefined }[];
}

/** What questions about permissions look like: they are about one call, and no part of a workflow. */
const permission = /\bmay (?:its|the) agent use\b/;

/** The questions of a session so far, by their ids: the answer may stand in a later phase. */
export type Questions = Map<string, Approval>;

/** Reads what was done in a phase. Adds its questions to those of the session, and answers those that it has answers to. */
export function phaseWork(phase: Phase, root: string, questions: Questions): PhaseWork {
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
    said: false,
    subagents: [],
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
          work.commands.push(ranCommand(call.command, entry.failed, root));
          break;
        }
        work.usedTools = true;
        if (entry.failed || call.kind === "other") break;
        for (const file of call.files) (call.kind === "edit" ? wrote : read).add(relativePath(file, root));
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
        work.subagents.push({ agent: entry.agent, summary: entry.summary });
        work.said = true;
        break;
      case "text":
        work.said = true;
    }
  }
  return { ...work, wrote: [...wrote], read: [...read] };
}

function ranCommand(text: string, failed: boolean, root: string): RanCommand {
  const words = plainWords(text, root);
  return { text, failed, words, key: words ? commandKey(words) : text, lacksSecret: findMark(text) !== undefined };
}

/** Whether anything was done that a step could do again. */
export function isWork({ commands, usedTools, asked, decided, approvals, outcome, said }: PhaseWork): boolean {
  const words = asked.length + decided.length + approvals.length;
  return commands.length > 0 || usedTools || words > 0 || outcome !== undefined || said;
}

/** Whether a phase only ran commands, by itself: no person asked for it, and nothing was decided in it. */
export function onlyRuns({ commands, usedTools, asked, decided, approvals }: PhaseWork): boolean {
  return commands.length > 0 && !usedTools && asked.length + decided.length + approvals.length === 0;
}

const approving = /^\W*(?:y|yes|yep|ok|okay|approved?|go ahead|lgtm|ship it|sure)(?![\w-])/i;
/** Words that approve only where no other work follows, as in `do it again with tests`. */
const approvingAlone = /^\W*(?:do it|fine)(?=\W*$|[.,;!]| (?:now|then|please|(?:by|with|for) me)\b)/i;

export function isApproved({ answer }: Approval): boolean {
  return answer !== undefined && (approving.test(answer) || approvingAlone.test(answer));
}
