import { expect, test } from "vitest";
import type { Piece, Puzzle } from "../../contract/api/learn.ts";
import { tuningLine } from "./tuning-lines.ts";

const piece = (entry: Piece["entry"], line = 1): Piece => ({ line, entry });

const puzzle = (...expected: Piece[]): Puzzle => ({
  type: "puzzle",
  id: "s:1",
  context: [],
  failure: [piece({ kind: "error", text: "npm is not used here" })],
  expected,
  omitted: 0,
  basis: "user_words",
  metadata: {
    session: "s",
    title: "Install",
    path: "s/session.md",
    phase: null,
    at: null,
    agent: null,
    model: null,
    engine: null,
    tools: [],
    commit: null,
    fixed_commit: null,
    outcome: "active",
    tags: [],
  },
});

test("S16 a user's words are in the question, and no assistant says them", () => {
  const words = piece({ kind: "user", text: "use pnpm instead" });
  const line = tuningLine(puzzle(words, piece({ kind: "text", text: "I run pnpm install." })));
  if (!line || !("messages" in line)) throw new Error("no chat line");
  expect(line.messages[0]!.content).toContain("The user said: use pnpm instead");
  expect(line.messages[1]!.content).toBe("I run pnpm install.");
  expect(tuningLine(puzzle(words))).toBeUndefined();
});
