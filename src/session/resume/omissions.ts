import type { SessionDocument } from "../../contract/session.ts";
import { label } from "./label.ts";
import { sectionsOf, contextEntries, type Parts } from "./parts.ts";
import type { ContextPiece } from "./piece.ts";
import { phasesAtResume } from "./resume-point.ts";
import type { Selection } from "./selection.ts";

/** What a context does not show, and out of how many. */
export interface Omissions {
  /** The budget, when the context is longer than that all the same; else null. */
  exceeded: number | null;
  phasesAfter: number;
  entriesAfter: number;
  phases: number;
  phasesWhole: number;
  phasesUnlisted: number;
  entries: number;
  entriesMissing: number;
  decisions: number;
  decisionsShortened: number;
  tasks: number;
  tasksMissing: number;
  /** Texts above and below the phases. */
  asides: number;
  asidesMissing: number;
  cut: number;
}

export function omissionsOf(document: SessionDocument, parts: Parts, selection: Selection): Omissions {
  const { after } = phasesAtResume(document);
  const entries = parts.phases.flatMap((phase) => phase.pieces);
  const decisions = entries.filter((piece) => piece.rank === "decision");
  const asides = [document.preamble, document.summary].filter((text) => text !== undefined).length;
  const selected = (pieces: ContextPiece[]): ContextPiece[] =>
    pieces.filter((piece) => selection.textOf(piece) !== undefined);
  const selectedPieces = selected(sectionsOf(parts).flatMap((section) => section.pieces));
  return {
    exceeded: null,
    phasesAfter: after.length,
    entriesAfter: after.flatMap(contextEntries).length,
    phases: parts.phases.length,
    phasesWhole: parts.phases.filter((phase) => selection.isWhole(phase)).length,
    phasesUnlisted: parts.phases.filter((phase) => !selection.isListed(phase)).length,
    entries: entries.length,
    entriesMissing: entries.length - selected(entries).length,
    decisions: decisions.length,
    decisionsShortened: decisions.filter((piece) => selection.textOf(piece) !== piece.text).length,
    tasks: parts.tasks.pieces.length,
    tasksMissing: parts.tasks.pieces.length - selected(parts.tasks.pieces).length,
    asides,
    asidesMissing: asides - selectedPieces.filter((piece) => piece.rank === "about").length,
    cut: selectedPieces.filter((piece) => piece.isCut).length,
  };
}

/** As if all that can be lacking were: no selection makes for longer sentences. */
export function largestOmissions(lack: Omissions): Omissions {
  return {
    ...lack,
    phasesWhole: lack.phases,
    phasesUnlisted: lack.phases,
    entriesMissing: lack.entries,
    decisionsShortened: lack.decisions,
    tasksMissing: lack.tasks,
    asidesMissing: lack.asides,
    cut: lack.entries + lack.tasks + lack.asides,
  };
}

/** What was left out, in plain sentences, the last of which says how to see it. None when nothing was. */
export function omissionSentences(lack: Omissions, sessionId: string): string[] {
  const sentences = [
    lack.exceeded !== null && exceededSentence(lack.exceeded),
    lack.phasesAfter > 0 &&
      `Left out: ${count(lack.phasesAfter, "phase")} after the resume point, with ${count(lack.entriesAfter, "entry")}.`,
    lack.entriesMissing > 0 &&
      `Left out: ${lack.entriesMissing} of ${count(lack.entries, "entry")}. Phases shown whole: ${lack.phasesWhole} of ${lack.phases}.`,
    lack.phasesUnlisted > 0 &&
      `Left out with their headings: ${lack.phasesUnlisted} of ${count(lack.phases, "phase")}.`,
    lack.decisionsShortened > 0 && `Shortened: ${lack.decisionsShortened} of ${count(lack.decisions, "decision")}.`,
    lack.tasksMissing > 0 && `Left out: ${lack.tasksMissing} of ${count(lack.tasks, "task")}.`,
    lack.asidesMissing > 0 &&
      `Left out: ${lack.asidesMissing} of ${count(lack.asides, "text")} that a person wrote above or below the phases.`,
    lack.cut > 0 && `Cut: ${count(lack.cut, "long entry")}.`,
  ].filter((sentence) => sentence !== false);
  return withPointer(sentences, sessionId);
}

/** The same in as few words as will do. */
export function shortSentences(lack: Omissions, sessionId: string): string[] {
  const missing = [
    lack.phasesAfter > 0 && `${count(lack.phasesAfter, "phase")} after the resume point`,
    lack.entriesMissing > 0 && `${lack.entriesMissing} of ${count(lack.entries, "entry")}`,
    lack.phasesUnlisted > 0 && `${lack.phasesUnlisted} of ${count(lack.phases, "heading")}`,
    lack.tasksMissing > 0 && `${lack.tasksMissing} of ${count(lack.tasks, "task")}`,
    lack.asidesMissing > 0 && `${lack.asidesMissing} of ${count(lack.asides, "text")} around the phases`,
  ].filter((each) => each !== false);
  const sentences = [
    lack.exceeded !== null && exceededSentence(lack.exceeded),
    missing.length > 0 && `Left out: ${missing.join(", ")}.`,
    lack.decisionsShortened > 0 && `Shortened: ${lack.decisionsShortened} of ${count(lack.decisions, "decision")}.`,
    lack.cut > 0 && `Cut: ${count(lack.cut, "long entry")}.`,
  ].filter((sentence) => sentence !== false);
  return withPointer(sentences, sessionId);
}

function exceededSentence(budget: number): string {
  return `The budget of ${budget} tokens is exceeded: no decision is left out, and this is the shortest form.`;
}

function withPointer(sentences: string[], sessionId: string): string[] {
  return sentences.length === 0 ? [] : [...sentences, `See all of it with: clew session show ${label(sessionId, 40)}`];
}

export function leftOutText(sentences: string[]): string {
  return sentences.length === 0 ? "" : `\n## Left out here\n\n${sentences.map((each) => `- ${each}\n`).join("")}`;
}

function count(number: number, noun: string): string {
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number} ${number === 1 ? noun : plural}`;
}
