import type { Evidence } from "../../contract/api/evidence.ts";
import type { Screen } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import type { Colors } from "./colors.ts";
import { table, type Cell, type Column } from "./table.ts";
import { factLines } from "./words.ts";

const columns: Column[] = [
  { title: "ID", isId: true },
  { title: "STEP", givesWay: 2 },
  { title: "CALL", wraps: 2 },
  { title: "EXIT", align: "right" },
  { title: "TREE", givesWay: 1 },
  { title: "SEEN BY", givesWay: 3 },
];

export function viewEvidenceList(screen: Screen, evidence: Evidence[]): string {
  if (evidence.length === 0) return "No calls were observed. Agents that Clew starts leave them.";
  const { colors } = screen;
  const rows = evidence.map((each): Cell[] => [
    each.id,
    cleanLine(stepOf(each)),
    cleanLine(each.command ?? each.tool),
    exitCell(colors, each),
    { text: each.tree?.slice(0, 9) ?? "–", paint: colors.dim },
    witnessCell(colors, each),
  ]);
  return table(screen, columns, rows);
}

export function viewEvidence({ colors }: Screen, evidence: Evidence): string {
  const { id, tool, engine, folder, tree, tree_before: before, head, at, duration_ms: ms, problem } = evidence;
  const trees = before !== null && before !== tree ? `${before} before, ${tree ?? "unknown"} after` : tree;
  const facts: [string, string | undefined][] = [
    ["call", evidence.command ?? tool],
    ["tool", `${tool} of ${engine}`],
    ["step", evidence.step === null ? undefined : stepOf(evidence)],
    ["run", evidence.run ?? undefined],
    ["session", evidence.session ?? undefined],
    ["folder", folder],
    ["ended", `${exitText(evidence)}${ms === undefined ? "" : ` after ${ms} ms`}`],
    ["tree", trees ?? "not kept: no gate asked for this call"],
    ["commit", head ?? undefined],
    ["seen by", evidence.witnesses.join(" and ") || "none"],
    ["at", at],
  ];
  const verdict = problem === undefined ? [] : [`${colors.yellow("!")} counts for nothing: ${clean(problem)}`];
  return [colors.bold(id), ...factLines(colors, facts, 9), ...verdict].join("\n");
}

function stepOf({ step, attempt }: Evidence): string {
  if (step === null) return "–";
  return attempt === 1 ? step : `${step}#${attempt}`;
}

function exitText({ exit, failed }: Evidence): string {
  return exit === null ? (failed ? "failed" : "done, exit code not told") : `exit ${exit}`;
}

function exitCell(colors: Colors, { exit, failed }: Evidence): Cell {
  if (failed) return { text: exit === null ? "failed" : String(exit), paint: colors.red };
  return exit === null ? "–" : { text: String(exit), paint: colors.green };
}

function witnessCell(colors: Colors, { witnesses, problem }: Evidence): Cell {
  const text = witnesses.join("+") || "none";
  return problem === undefined ? text : { text: `${text} !`, paint: colors.yellow };
}
