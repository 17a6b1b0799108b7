import type { RunDetails } from "../../contract/api/run.ts";
import { fenceKinds, type FenceBlock } from "../../grimoire/markup/document.ts";
import { writeCell, writeLine, type ToonCell } from "../../session/index/cell.ts";

const columns = ["node", "attempt", "status", "duration_ms", "summary"];
const maxSummaryChars = 200;
/** Of a run with more attempts, the last stand there. */
const maxRows = 1000;

/** A past execution as a block of a workflow, in TOON: the run, and a row for each attempt at a node. */
export function executionBlock(run: RunDetails): FenceBlock {
  const facts: [string, ToonCell][] = [
    ["run", run.id],
    ["bead", run.bead_id],
    ["status", run.status],
    ["started", run.started],
    ["ended", run.ended],
    ["session", run.session_id],
    ["attempts", run.steps.length],
  ];
  const rows = run.steps
    .slice(-maxRows)
    .map(({ path, attempt, status, duration_ms = null, summary = null }) =>
      writeLine([path, attempt, status, duration_ms, summary && shortened(summary)]),
    );
  const lines = [
    ...facts.map(([name, value]) => `${name}: ${writeCell(value)}`),
    `steps[${rows.length}]{${columns.join(",")}}:`,
    ...rows.map((row) => `  ${row}`),
  ];
  return { kind: "fence", info: fenceKinds.history, text: lines.map((line) => `${line}\n`).join("") };
}

/** What tells executions apart: a run that was tried again has more attempts than before. */
export function executionOf({ id, steps }: Pick<RunDetails, "id" | "steps">): string {
  return `${id} ${steps.length}`;
}

/** The execution that a block tells of; undefined when it has another form. */
export function executionInBlock({ text }: FenceBlock): string | undefined {
  const run = /^run: "?([^"\n]*)"?\n/.exec(text)?.[1];
  const attempts = /^attempts: (\d+)$/m.exec(text)?.[1];
  return run === undefined || attempts === undefined ? undefined : `${run} ${attempts}`;
}

function shortened(summary: string): string {
  const line = summary.replace(/\s+/g, " ").trim();
  return line.length > maxSummaryChars ? `${line.slice(0, maxSummaryChars).toWellFormed()}…` : line;
}
