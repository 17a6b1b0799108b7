import fc from "fast-check";
import type { JournalLine } from "../../src/contract/run-journal.ts";
import type { StepAddress } from "../../src/contract/run.ts";
import type { StepInput } from "../../src/contract/step-input.ts";
import { pinned, script } from "./run-host.ts";

type Unnumbered<T> = T extends { n: number } ? Omit<T, "n" | "at"> : T extends unknown ? Omit<T, "at"> : never;
export type Draft = Unnumbered<JournalLine>;

/** Gives lines their times and events their numbers, as a host would; other runs took some in between. */
export function numbered(drafts: Draft[], firstNumber = 7): JournalLine[] {
  let n = firstNumber;
  let ms = Date.parse("2026-11-15T10:00:00Z");
  return drafts.map((draft): JournalLine => {
    const at = new Date((ms += 137)).toISOString();
    const isEvent = draft.type.startsWith("workflow.");
    return { ...draft, ...(isEvent && { n: (n += 1 + (n % 3)) }), at } as JournalLine;
  });
}

export function startLine(runId: string): Draft {
  const run = pinned([script("build")], { base: "0123456789abcdef", target: "main" });
  return {
    type: "workflow.started",
    version: 1,
    workflow_id: runId,
    bead_id: run.bead.id,
    grimoire: "flow",
    pinned: run,
  };
}

export const driven: Draft = { type: "run.driven", pid: 1, boot: "b" };
export const scriptInput: StepInput = { kind: "script", shell: "sh", script: "npm test", values: {} };
export const agentInput: StepInput = { kind: "agent", prompt: "Do it.", engine: "scripted", agent: "coder@2" };

export function begun(address: StepAddress, input: StepInput): Draft {
  return { type: "workflow.step.started", ...address, kind: input.kind, input, running_ms: 0 };
}

/** Texts of which many are alike, some long, some that read like markup. */
const said = fc.oneof(
  fc.constantFrom("ok", "ok", "done", "", "## Fake @agent\n> [!error]", "`tick` → ✗", "line\nline\n", "a\0b\r\nc"),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

const noted = (address: StepAddress): fc.Arbitrary<Draft[]> =>
  fc.oneof(
    said.map((text): Draft[] => [{ type: "agent.message", ...address, text }]),
    said.map((text): Draft[] => [{ type: "agent.thinking", ...address, text }]),
    said.map((text): Draft[] => [{ type: "step.output", ...address, stream: "stdout", text }]),
    said.map((message): Draft[] => [{ type: "step.warning", ...address, message }]),
    said.map((message): Draft[] => [{ type: "agent.error", ...address, message }]),
    fc
      .tuple(said, said, fc.boolean(), fc.boolean())
      .map(([command, output, failed, isAnswered]): Draft[] => [
        { type: "agent.tool_call", ...address, id: `c ${command}`, name: "Bash", input: { command } },
        ...(isAnswered ? [{ type: "agent.tool_result" as const, ...address, id: `c ${command}`, output, failed }] : []),
      ]),
  );

const ended = (address: StepAddress): fc.Arbitrary<Draft[]> => {
  const base = { type: "workflow.step.completed" as const, ...address, running_ms: 0 };
  const usage = { input_tokens: 100, output_tokens: 20, cost_usd: 0.5 };
  return fc.oneof(
    said.map((output): Draft[] => [{ ...base, status: "succeeded", success: true, output, summary: "did it", usage }]),
    said.map((stderr): Draft[] => [{ ...base, status: "failed", success: false, stderr, exit_code: 1 }]),
    fc.constant<Draft[]>([{ ...base, status: "stopped", stopped: "timeout", scope: null }]),
    // Somebody killed the driver.
    fc.constant<Draft[]>([driven]),
  );
};

const waited = (runId: string, address: StepAddress): fc.Arbitrary<Draft[]> =>
  fc
    .tuple(
      fc.constantFrom("workflow.blocked" as const, "workflow.failed" as const, "workflow.merge_pending" as const),
      fc.boolean(),
      said,
    )
    .map(([type, isNoted, reason]): Draft[] => [
      {
        type,
        ...address,
        blocked_reason: "step_failed",
        message: "build failed",
        iteration_summaries: [],
        worktree: "/repo/.worktrees/proj-1",
        actions: [`clew run retry ${runId}`],
        running_ms: 0,
      },
      driven,
      {
        type: "run.signal",
        id: "s",
        signal:
          type === "workflow.merge_pending"
            ? { kind: "reject", reason: isNoted ? reason : "" }
            : { kind: "retry", inputs: isNoted ? { fix: reason } : {} },
        to: address,
        taken: true,
        running_ms: 0,
      },
    ]);

const worked = (runId: string, number: number): fc.Arbitrary<Draft[]> => {
  const address = { path: `loop[${number}]/step-${number % 3}`, attempt: 1 + (number % 2) };
  return fc
    .tuple(
      fc.constantFrom(scriptInput, agentInput),
      fc.array(noted(address), { maxLength: 5 }),
      ended(address),
      fc.option(waited(runId, address), { nil: [] }),
    )
    .map(([input, notes, end, wait]) => [
      { type: "loop.iteration", path: "loop", iteration: number, running_ms: 0 },
      begun(address, input),
      ...notes.flat(),
      ...end,
      ...wait,
    ]);
};

/** Journals of runs that went one way or another. */
export function journal(runId: string): fc.Arbitrary<JournalLine[]> {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return fc
    .tuple(
      fc.option(waited(runId, { path: "early", attempt: 1 }), { nil: [] }),
      ...Array.from({ length: 4 }, (_, at) => fc.option(worked(runId, at + 1), { nil: [] as Draft[] })),
      fc.constantFrom<Draft[]>(
        [],
        [{ type: "workflow.completed", running_ms: 0, usage }],
        [{ type: "workflow.cancelled", running_ms: 0, usage }],
      ),
    )
    .map((parts) => numbered([startLine(runId), driven, ...parts.flat()]));
}
