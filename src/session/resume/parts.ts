import type { Phase, SessionDocument, Task } from "../../contract/session.ts";
import { asOneLine } from "../text.ts";
import { entryBlock, type ContextEntry } from "./entry-block.ts";
import { label } from "./label.ts";
import { makePiece, makeSection, type LoosePiece, type Rank, type Section } from "./piece.ts";
import { unansweredQuestions } from "./questions.ts";
import { phasesAtResume } from "./resume-point.ts";

/** All that a context could show of a session. */
export interface Parts {
  tasks: Section;
  preamble: Section;
  phases: Section[];
  summary: Section;
}

/** Texts of more than `longTokens` are cut, decisions never. */
export function partsOf(document: SessionDocument, longTokens: number): Parts {
  const { before: phases, after } = phasesAtResume(document);
  const open = new Set<ContextEntry>(unansweredQuestions(phases));
  // A summary may tell of what comes after the resume point.
  const summary = after.length === 0 ? document.summary : undefined;
  return {
    tasks: makeSection("tasks", "## Tasks", document.tasks.map(taskPiece)),
    preamble: makeSection("preamble", "## Above the first phase", aside(document.preamble, longTokens)),
    phases: phases.map((phase) => {
      const pieces = contextEntries(phase).map((entry) => entryPiece(entry, open.has(entry), longTokens));
      return makeSection(label(phase.id, 15), `### ${phaseName(phase)}`, pieces);
    }),
    summary: makeSection("summary", "## Summary", aside(summary, longTokens)),
  };
}

export function sectionsOf({ tasks, preamble, phases, summary }: Parts): Section[] {
  return [tasks, preamble, ...phases, summary];
}

/** A phase as headings and sentences name it. */
export function phaseName(phase: Phase): string {
  const who = phase.agent === null ? "" : ` @${label(phase.agent, 15)}`;
  const where = phase.channel === null ? "" : ` #${label(phase.channel, 15)}`;
  return `${label(phase.title, 40)}${who}${where} (${label(phase.id, 15)})`;
}

export function contextEntries({ entries }: Phase): ContextEntry[] {
  return entries.filter((entry) => entry.kind !== "tokens");
}

const ranks: Record<ContextEntry["kind"], Rank> = {
  decision: "decision",
  user: "words",
  note: "words",
  error: "outcome",
  answer: "outcome",
  decision_needed: "outcome",
  approval_required: "outcome",
  task_complete: "outcome",
  subagent: "outcome",
  remark: "work",
  text: "work",
  tool: "work",
};

function entryPiece(entry: ContextEntry, isOpen: boolean, longTokens: number): LoosePiece {
  return makePiece(isOpen ? "open" : ranks[entry.kind], longTokens, (cut) => entryBlock(entry, cut, isOpen));
}

function aside(text: string | undefined, longTokens: number): LoosePiece[] {
  if (text === undefined) return [];
  return [makePiece("about", longTokens, (cut) => entryBlock({ kind: "note", text }, cut, false))];
}

const taskTokens = 100;

function taskPiece({ id, content, status, priority }: Task): LoosePiece {
  const isDone = status === "completed";
  const about = [status === "in_progress" ? "in progress" : "", priority].filter(Boolean).join(", ");
  const line = asOneLine(`${id}${about === "" ? "" : ` (${about})`}: ${content}`);
  return makePiece(isDone ? "outcome" : "unfinished", taskTokens, (cut) => `- [${isDone ? "x" : " "}] ${cut(line)}\n`);
}
