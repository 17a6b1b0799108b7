import { missingHeading } from "./missing-view.ts";
import type { RunDetails } from "../../contract/api/run.ts";
import type { Json } from "../../contract/grimoire.ts";
import type { Limits } from "../../contract/limits.ts";
import type { StoredFile } from "../../contract/run-fields.ts";
import type { VisibleStatus, StepAddress, Usage } from "../../contract/run.ts";
import { formatDuration } from "../../text/duration.ts";
import { callSubject } from "../../text/tool-call.ts";
import { cleanLine } from "./clean.ts";
import type { Colors, Paint } from "./colors.ts";
import type { Cell } from "./table.ts";
import { dollars, duration, number } from "./time.ts";

type RunStep = RunDetails["steps"][number];
type StepStatus = RunStep["status"];

export function runStatusCell(colors: Colors, status: VisibleStatus): Exclude<Cell, string> {
  const paint: Record<VisibleStatus, Paint> = {
    running: colors.cyan,
    interrupted: colors.yellow,
    blocked: colors.red,
    failed: colors.red,
    pending_merge: colors.yellow,
    completed: colors.green,
    cancelled: colors.dim,
  };
  return { text: status, paint: paint[status] };
}

export function paintRunStatus(colors: Colors, status: VisibleStatus): string {
  return runStatusCell(colors, status).paint(status);
}

export function stepSign(colors: Colors, status: StepStatus): string {
  const signs: Record<StepStatus, string> = {
    running: colors.cyan("▸"),
    succeeded: colors.green("✓"),
    failed: colors.red("✗"),
    skipped: colors.dim("–"),
    stopped: colors.yellow("■"),
    interrupted: colors.yellow("⏸"),
    waiting: colors.yellow("⏸"),
  };
  return signs[status];
}

/** `quality-loop[2]/run-tests (attempt 2)`; the first attempt goes without saying. */
export function placeText({ path, attempt }: StepAddress): string {
  return cleanLine(attempt === 1 ? path : `${path} (attempt ${attempt})`);
}

/** What has to be there before a step can be. */
export const preparingWords = {
  worktree: "making the worktree",
  offer: "preparing the merge",
  verify: "verifying the merged tree",
} as const;

type StepOutcome = Pick<
  RunStep,
  "status" | "duration_ms" | "exit_code" | "summary" | "error" | "missing" | "usage" | "note"
>;

/** What there is to say of a step beside its name. */
export function stepFacts(outcome: StepOutcome): string {
  const { status, duration_ms, exit_code, summary, missing, usage, note } = outcome;
  // What is missing is told where the run waits.
  const error = missing ? missingHeading(missing) : outcome.error;
  const facts = [
    status === "skipped" || status === "stopped" ? status : undefined,
    duration_ms === undefined ? undefined : duration(Math.round(duration_ms)),
    exit_code === undefined || exit_code === 0 ? undefined : `exit ${exit_code}`,
    usage && usageText(usage),
    // The exit code says this already.
    error === `exited with ${exit_code}` ? undefined : (error ?? summary),
    note,
  ];
  return facts.flatMap((fact) => (fact === undefined || fact === "" ? [] : [cleanLine(fact)])).join(" · ");
}

/** `12,345 tokens`, and the cost where it is known; empty when nothing was used. */
export function usageText({ input_tokens, cached_input_tokens = 0, output_tokens, cost_usd }: Usage): string {
  const tokens = input_tokens + output_tokens;
  const cached = cached_input_tokens === 0 ? "" : ` (${number(cached_input_tokens)} cached)`;
  const cost = cost_usd === undefined ? "" : ` · ${dollars(cost_usd)}`;
  return tokens === 0 && cost === "" ? "" : `${number(tokens)} tokens${cached}${cost}`;
}

/** `at most $2.50, 20 rounds, 30m of work`; empty without limits. */
export function limitsText({ max_cost_usd, max_tokens, max_rounds, max_time_ms }: Limits = {}): string {
  const parts = [
    max_cost_usd === undefined ? undefined : dollars(max_cost_usd),
    max_tokens === undefined ? undefined : `${number(max_tokens)} tokens`,
    max_rounds === undefined ? undefined : `${number(max_rounds)} rounds`,
    max_time_ms === undefined ? undefined : `${formatDuration(max_time_ms)} of work`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : `at most ${parts.join(", ")}`;
}

/** Where the whole of an output stands that was too long for the journal: in the folder called like it. */
export function storedFileText({ bytes, sha256 }: StoredFile, journal: string): string {
  return cleanLine(`${number(bytes)} bytes in ${journal.replace(/\.jsonl$/, "")}/${sha256}.txt`);
}

/** A tool call in a few words: its name and what it is about, else its whole input. */
export function callText(name: string, input: Json): string {
  return cleanLine(`${name} ${callSubject(input) ?? JSON.stringify(input)}`);
}
