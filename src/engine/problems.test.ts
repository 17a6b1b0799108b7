import { expect, test } from "vitest";
import { engineProblems, isFinal, problemIn, wayOut, type EngineProblem } from "./problems.ts";

/** What the programs and services really said. */
const said: [string, EngineProblem | undefined][] = [
  ["the model's API answered: 401 authentication_failed; trying again (try 1 of 10)", "not_logged_in"],
  ["Invalid API key · Fix external API key", "not_logged_in"],
  ["Invalid API key · Please run /login", "not_logged_in"],
  ["Credit balance is too low", "out_of_credit"],
  ["You exceeded your current quota, please check your plan and billing details. insufficient_quota", "out_of_credit"],
  ["unexpected status 401 Unauthorized: Missing bearer", "not_logged_in"],
  ["You've hit your usage limit. Try again at 5 PM.", "rate_limited"],
  ["the model's API answered: 429 rate_limit_error; trying again (try 2 of 10)", "rate_limited"],
  ["the model's API answered: 529 overloaded; trying again (try 1 of 1)", "overloaded"],
  ["Gemini CLI is not running in a trusted directory.", "untrusted_folder"],
  ["No conversation found with session ID: 5f0c", "unknown_session"],
  ["session/load: Internal error: No previous sessions found for this project.", "unknown_session"],
  [
    "session/set_mode: Internal error: Cannot enable privileged approval modes in an untrusted folder.",
    "untrusted_folder",
  ],
  ["There's an issue with the selected model (clod-9).", "unknown_model"],
  ["the engine ended without a result (exit code 1)", undefined],
  ["line 402 of config.toml", undefined],
  ["MCP server github failed to start: 401 Unauthorized", undefined],
  ["it was last seen at: Bash kill -9 $PPID # 401", undefined],
];

test.each(said)("W2 %s: %s", (text, problem) => {
  expect(problemIn(text)).toBe(problem);
});

test("W2 every problem has a way out, and only what time cannot mend ends an agent at once", () => {
  expect(engineProblems.filter((problem) => wayOut(problem, "claude /login").trim() === "")).toEqual([]);
  expect(wayOut("not_logged_in", "claude /login")).toBe("claude /login");
  expect(engineProblems.filter(isFinal)).toEqual(["not_logged_in", "out_of_credit"]);
});
