import type { CaseMetadata, Correction, LearningCase, Puzzle } from "../../contract/api/learn.ts";
import { piecesText } from "./piece-text.ts";
import { messagesOf, toolsIn, withTextArguments, type Message, type Tool } from "./tuning-messages.ts";

/** For chat tuning: `messages`, as OpenAI reads them. */
export interface ChatLine {
  messages: Message<string>[];
  tools?: Tool[];
  metadata: CaseMetadata & { id: string; basis: Puzzle["basis"] };
}

/** For preference tuning: `prompt`, `chosen` and `rejected`, each as messages, as TRL reads them. */
export interface PreferenceLine {
  prompt: Message[];
  chosen: Message[];
  rejected: Message[];
  tools?: Tool[];
  metadata: ChatLine["metadata"];
}

/** The line of a case; undefined where nothing shows what is right. */
export function tuningLine(found: LearningCase): ChatLine | PreferenceLine | undefined {
  if (found.basis === null) return undefined;
  return found.type === "puzzle" ? chatLine(found) : preferenceLine(found);
}

function chatLine(puzzle: Puzzle): ChatLine | undefined {
  const answer = messagesOf(puzzle.expected);
  if (answer.length === 0) return undefined;
  const question = [
    `Task: ${puzzle.metadata.title}`,
    ...section("What was done so far:", piecesText(puzzle.context)),
    ...section("This failed:", piecesText(puzzle.failure)),
    ...userWords(puzzle.expected),
    "What has to be done?",
  ].join("\n\n");
  const messages = withTextArguments([{ role: "user", content: question }, ...answer]);
  return { messages, ...withTools(answer), metadata: metadataOf(puzzle) };
}

function preferenceLine(correction: Correction): PreferenceLine | undefined {
  const [chosen, rejected] = [messagesOf(correction.expected), messagesOf(correction.behaviour)];
  if (chosen.length === 0 || rejected.length === 0) return undefined;
  // The same call again says nothing of what is better.
  if (JSON.stringify(chosen) === JSON.stringify(rejected)) return undefined;
  const prompt = [`Task: ${correction.metadata.title}`, ...section("Before:", piecesText(correction.before))].join(
    "\n\n",
  );
  return {
    prompt: [{ role: "user", content: prompt }],
    chosen,
    rejected,
    ...withTools([...chosen, ...rejected]),
    metadata: metadataOf(correction),
  };
}

function withTools(messages: readonly Message[]): { tools?: Tool[] } {
  const tools = toolsIn(messages);
  return tools.length === 0 ? {} : { tools };
}

function metadataOf({ id, basis, metadata }: LearningCase): ChatLine["metadata"] {
  return { id, basis, ...metadata };
}

/** The user's words behind a failure are part of the question. */
function userWords(expected: Puzzle["expected"]): string[] {
  const words = piecesText(expected.filter(({ entry }) => entry.kind === "user" && entry.action === undefined));
  return words === "" ? [] : [words];
}

function section(title: string, text: string): string[] {
  return text === "" ? [] : [`${title}\n${text}`];
}
