import { expect, it } from "vitest";
import type { MergeOffer } from "../contract/merge-offer.ts";
import { waitText, type WaitEvent } from "./session-words.ts";

const proof = { by: "step", path: "tests", attempt: 1, exit_code: 0 };

function wait(...proven: object[]): WaitEvent {
  const merge = {
    target: "main",
    files: [],
    totals: { files: 0, added: 0, deleted: 0 },
    flagged: [],
    proven,
  } as object;
  const line = { message: "review it", path: "merge", attempt: 1, worktree: "", iteration_summaries: [], actions: [] };
  return { ...line, merge: merge as MergeOffer } as unknown as WaitEvent;
}

it("G12 says what proves an offer: a short command, or what a long script printed last", () => {
  const text = waitText(
    wait(
      { ...proof, command: "npm test", said: "3 passed" },
      { ...proof, command: "set -e\nlook", said: "nothing was tested" },
      { ...proof, command: "set -e\nlook", said: "" },
    ),
  );
  expect(text.split("\n").slice(2)).toEqual([
    "tests succeeded on this very tree: npm test: exit 0",
    "tests succeeded on this very tree: nothing was tested",
    "tests succeeded on this very tree",
  ]);
});
