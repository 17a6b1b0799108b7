import { ClewError } from "../../contract/errors.ts";
import type { PermissionWord } from "../../contract/permission-values.ts";

/** A permission that the agent of a talk waits for. */
export interface OpenQuestion {
  /** The words that answer it. */
  words: PermissionWord[];
  /** Whether the process that drives the talk is still there. */
  isAlive: boolean;
}

/**
 * Where the questions of live talks wait for an answer of another process. Not the session's own text: that stands in the
 * agent's folder, where it could write an answer itself.
 */
export interface QuestionDesk {
  open(id: string, words: readonly PermissionWord[]): void;
  find(id: string): OpenQuestion | undefined;
  answer(id: string, word: PermissionWord): void;
  answerTo(id: string): PermissionWord | undefined;
  close(id: string): void;
}

/** Hands an answer to the talk that waits for it. False when no talk ever asked this. Throws a ClewError when it cannot count. */
export function answerQuestion(desk: QuestionDesk, id: string, text: string): boolean {
  const question = desk.find(id);
  if (!question) return false;
  if (!question.isAlive) {
    desk.close(id);
    throw new ClewError(
      "not_possible_now",
      `the agent that asked ${id} has ended`,
      "go on with its talk: clew ai --resume",
    );
  }
  const word = question.words.find((each) => each === text.trim().toLowerCase());
  if (word === undefined) {
    const words = question.words.join(" or ");
    throw new ClewError(
      "invalid_input",
      `the agent takes ${words} alone`,
      `clew inbox answer ${id} ${question.words[0]}`,
    );
  }
  desk.answer(id, word);
  return true;
}
