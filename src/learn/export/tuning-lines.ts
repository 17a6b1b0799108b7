import type { CaseMetadata, Correction, LearningCase, Puzzle } from "../../contract/api/learn.ts";
import { answerText, piecesText } from "./piece-text.ts";

/** A line of a file for tuning. All contents are plain text, so that readers that differ on tool calls take it alike. */
export interface Message {
  role: "user" | "assistant";
  content: string;
}

/** For chat tuning: `messages`. */
export interface ChatLine {
  messages: Message[];
  metadata: CaseMetadata & { id: string; basis: Puzzle["basis"] };
}

/** For preference tuning: `prompt`, `chosen` and `rejected`, each as messages. */
export interface PreferenceLine {
  prompt: Message[];
  chosen: Message[];
  rejected: Message[];
  metadata: ChatLine["metadata"];
}

/** The line of a case; undefined where nothing shows what is right. */
export function tuningLine(found: LearningCase): ChatLine | PreferenceLine | undefined {
  if (found.basis === null) return undefined;
  return found.type === "puzzle" ? chatLine(found) : preferenceLine(found);
}

function chatLine(puzzle: Puzzle): ChatLine | undefined {
  const answer = answerText(puzzle.expected);
  const question = [
    `Task: ${puzzle.metadata.title}`,
    ...section("What was done so far:", piecesText(puzzle.context)),
    ...section("This failed:", piecesText(puzzle.failure)),
    ...userWords(puzzle.expected),
    "What has to be done?",
  ].join("\n\n");
  if (answer === "") return undefined;
  return { messages: [message("user", question), message("assistant", answer)], metadata: metadataOf(puzzle) };
}

function preferenceLine(correction: Correction): PreferenceLine | undefined {
  const [chosen, rejected] = [answerText(correction.expected), piecesText(correction.behaviour)];
  if (chosen === "" || rejected === "") return undefined;
  const prompt = [`Task: ${correction.metadata.title}`, ...section("Before:", piecesText(correction.before))].join(
    "\n\n",
  );
  return {
    prompt: [message("user", prompt)],
    chosen: [message("assistant", chosen)],
    rejected: [message("assistant", rejected)],
    metadata: metadataOf(correction),
  };
}

function metadataOf({ id, basis, metadata }: LearningCase): ChatLine["metadata"] {
  return { id, basis, ...metadata };
}

function message(role: Message["role"], content: string): Message {
  return { role, content };
}

/** The user's words behind a failure are part of the question. */
function userWords(expected: Puzzle["expected"]): string[] {
  const words = piecesText(expected.filter(({ entry }) => entry.kind === "user" && entry.action === undefined));
  return words === "" ? [] : [words];
}

function section(title: string, text: string): string[] {
  return text === "" ? [] : [`${title}\n${text}`];
}
