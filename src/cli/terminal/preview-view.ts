import { labelsOf } from "../../contract/bead.ts";
import { formatDuration } from "../../text/duration.ts";
import type { Preview, PreviewStep } from "../../contract/preview.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { landsNothing, sumUp, viewProblem } from "./problem-view.ts";
import { block } from "./run-block.ts";
import { limitsText } from "./run-words.ts";
import { fit } from "./width.ts";
import { factLines, valueText } from "./words.ts";

/** A preview as a person reads it: what and for whom, then every step with what it gets and does, then what is wrong. */
export function viewPreview(screen: Screen, preview: Preview): string {
  const steps = preview.steps.map((step, at) => viewStep(screen, step, String(at + 1), 0));
  return [viewHead(screen, preview), ...steps, viewResult(screen, preview)].join("\n\n");
}

function viewHead({ colors }: Screen, { grimoire, bead, because, variables }: Preview): string {
  const facts: [string, string | undefined][] = [
    ["from", grimoire.file],
    ["chosen by", because],
    ["time", `${formatDuration(grimoire.timeout_ms)} at most`],
    ["bead", bead === null ? undefined : `${bead.id}  ${bead.title}`],
    ["", bead === null ? undefined : beadFacts(bead)],
    ...Object.entries(variables).map(([name, value]): [string, string] => [`.${name}`, valueText(value)]),
  ];
  const title = `${colors.bold(cleanLine(grimoire.name))}  ${cleanLine(grimoire.description).trim()}`;
  return [title, ...factLines(colors, facts, 9)].join("\n");
}

function beadFacts(bead: NonNullable<Preview["bead"]>): string {
  const { issue_type, priority, status } = bead;
  const facts = [issue_type, priority === undefined ? undefined : `P${priority}`, status, labelsOf(bead).join(", ")];
  return facts.filter((fact) => fact !== undefined && fact !== "").join(" · ");
}

function viewStep(screen: Screen, step: PreviewStep, number: string, depth: number): string {
  const { colors } = screen;
  const skipped = step.when?.value === false;
  const paints = { agent: colors.cyan, script: colors.green, loop: colors.magenta, merge: colors.yellow };
  const title = skipped ? colors.dim(step.name) : colors.bold(step.name);
  const indent = "  ".repeat(depth);
  const lines = [
    `${indent}${colors.dim(number)} ${title}  ${paints[step.type](step.type)}  ${colors.dim(terms(step))}`.trimEnd(),
  ];
  const body = `${indent}${" ".repeat(number.length + 1)}`;
  for (const [name, value] of stepFacts(screen, step)) lines.push(`${body}${colors.dim(name.padEnd(8))} ${value}`);
  if (step.verify !== undefined) lines.push(`${body}${colors.dim("verifies the merged tree with")}`);
  const text = step.prompt ?? step.command ?? step.verify;
  if (text !== undefined) lines.push(...templateLines(screen, text, body.length));
  const nested = (step.steps ?? []).map((each, at) => viewStep(screen, each, `${number}.${at + 1}`, depth + 1));
  return [lines.join("\n"), ...nested].join("\n\n");
}

/** How long, how often, and what happens then. */
function terms(step: PreviewStep): string {
  const parts: (string | undefined)[] = [
    step.max_iterations === undefined
      ? undefined
      : `up to ${step.max_iterations} times, then ${step.on_max_iterations}`,
    step.timeout_ms === undefined
      ? undefined
      : `${step.type === "merge" ? "verify " : ""}${formatDuration(step.timeout_ms)} at most`,
    step.on_fail === "continue" ? "goes on when it fails" : undefined,
    step.on_fail === "fail" ? "fails the run when it fails" : undefined,
    step.detach ? "lets be what leaves its process group" : undefined,
    step.on_success === "exit_loop" ? "leaves the loop when it succeeds" : undefined,
    step.require_review === undefined ? undefined : step.require_review ? "waits for your review" : "without review",
    step.strategy === "squash" ? "as one commit" : undefined,
    step.on_changes === "continue" ? "the loop goes on when you ask for changes" : undefined,
    step.shell === "bash" ? "bash" : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

function stepFacts({ colors }: Screen, step: PreviewStep): [string, string][] {
  const facts: [string, string][] = [];
  if (step.when) {
    const meaning = {
      true: "yes",
      false: colors.yellow("no: it is skipped"),
      null: "known in the run",
      undefined: colors.red("wrong"),
    };
    facts.push(["when", `${cleanLine(String(step.when.source))}  ${colors.dim("→")} ${meaning[`${step.when.value}`]}`]);
  }
  if (step.spell) {
    const { name, file, origin, partials } = step.spell;
    const source = name === null ? "in the grimoire" : `${file}${origin === "built-in" ? "" : ` (${origin})`}`;
    const withPartials = partials.length === 0 ? "" : ` with ${partials.map(baseName).join(", ")}`;
    facts.push(["spell", cleanLine(`${source}${withPartials}`)]);
  }
  const who = [step.agent, step.engine, step.model, step.level].filter((each) => each !== undefined).join(" · ");
  const described = step.agent_file === undefined ? "" : `  ${colors.dim(`← ${cleanLine(step.agent_file)}`)}`;
  if (who !== "") facts.push(["agent", `${cleanLine(who)}${described}`]);
  if (step.tools) facts.push(["tools", cleanLine(step.tools.join(", ") || "none")]);
  if (step.limits) facts.push(["limits", `${limitsText(step.limits)}, each time`]);
  if (step.role !== undefined) facts.push(["role", fit(cleanLine(step.role), 60)]);
  for (const { name, source, value } of step.input ?? []) {
    const from = valueText(source) === valueText(value) ? "" : `  ${colors.dim(`← ${cleanLine(valueText(source))}`)}`;
    facts.push(["input", `.${cleanLine(name)} = ${cleanLine(valueText(value))}${from}`]);
  }
  if (step.outputs) facts.push(["outputs", cleanLine(step.outputs.join(", "))]);
  for (const gate of step.requires ?? []) facts.push(["requires", cleanLine(gate)]);
  const names = step.sets.filter((name) => !name.includes("-"));
  if (step.type !== "merge" && names.length > 0) facts.push(["sets", names.map((name) => `.${name}`).join(", ")]);
  return facts;
}

function baseName(file: string): string {
  return file.replace(/^.*\//, "");
}

/** A template's text, with its placeholders in colour. One column of the terminal stays free. */
function templateLines(screen: Screen, text: string, indent: number): string[] {
  const { colors, width } = screen;
  const lines = block({ ...screen, width: width - 1 }, text, { indent, bar: colors.dim("│") });
  return lines.map((line) => line.replace(/⟨[^⟨⟩]*⟩/g, (placeholder) => colors.cyan(placeholder)));
}

function viewResult(screen: Screen, { grimoire, problems, refusals, lands, valid }: Preview): string {
  const { colors } = screen;
  const verdict = valid
    ? colors.green("✓ Ready to run, as far as files can tell.")
    : colors.red("✗ Cannot run like this.");
  const lines = [
    ...problems.map((problem) => viewProblem(screen, problem)),
    ...(lands === false ? [landsNothing(screen, grimoire)] : []),
    ...refusals.map(({ message, hint }) => `${colors.red("refused:")} ${cleanLine(message)}\n    ${cleanLine(hint)}`),
  ];
  return [...lines, `${verdict} ${problems.length === 0 ? "" : `${sumUp(problems)} `}Nothing was run.`].join("\n");
}
