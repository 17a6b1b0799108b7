import type { Entry, Phase, SessionDocument, Task } from "../../contract/session.ts";
import type { ShownSession } from "../../app/show.ts";
import type { CliContext } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import { duration, localTime, number } from "./time.ts";

/** A session as a person reads it in a terminal: who and when, the tasks, then what happened, phase by phase. */
export function viewSession(context: CliContext, { document, path, embeds }: ShownSession): string {
  const parts = [viewHead(context, document, path)];
  if (document.preamble !== undefined) parts.push(clean(document.preamble));
  if (document.tasks.length > 0) parts.push(viewTasks(context, document.tasks));
  for (const phase of document.phases) parts.push(viewPhase(context, phase, embeds));
  if (document.summary !== undefined)
    parts.push(`${context.colors.bold("Summary")}\n${indent(clean(document.summary))}`);
  return parts.join("\n\n");
}

function viewHead({ colors }: CliContext, { frontmatter: head }: SessionDocument, path: string): string {
  const span = head.ended === undefined ? "" : ` · ${duration(Date.parse(head.ended) - Date.parse(head.started))}`;
  const facts: [string, string | undefined][] = [
    ["status", `${head.status}${head.resume_point === undefined ? "" : `, resumes at ${head.resume_point}`}`],
    ["started", `${localTime(head.started)}${span}`],
    ["channel", head.channel],
    ["with", head.participants?.join(", ")],
    ["model", head.model],
    ["tokens", head.tokens_used === undefined ? undefined : number(head.tokens_used)],
    ["cost", head.cost_usd === undefined ? undefined : `$${head.cost_usd}`],
    ["parent", head.parent],
    ["branch", head.branch],
    ["error", head.error],
    ["file", path],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${colors.dim(name.padEnd(8))} ${cleanLine(value)}`],
  );
  return [`${colors.bold(cleanLine(head.title))}  ${colors.dim(cleanLine(head.session_id))}`, ...lines].join("\n");
}

function viewTasks({ colors }: CliContext, tasks: Task[]): string {
  const marks = { completed: colors.green("✓"), in_progress: colors.yellow("▸"), pending: colors.dim("○") };
  return [colors.bold("Tasks"), ...tasks.map((task) => `  ${marks[task.status]} ${cleanLine(task.content)}`)].join(
    "\n",
  );
}

function viewPhase(context: CliContext, phase: Phase, embeds: ShownSession["embeds"]): string {
  let text = viewPhaseTitle(context, phase);
  for (const [at, entry] of phase.entries.entries()) {
    // Tool calls stand together as a list; everything else gets air around it.
    const inList = at === 0 || (entry.kind === "tool" && phase.entries[at - 1]!.kind === "tool");
    text += `${inList ? "\n" : "\n\n"}${viewEntry(context, entry, embeds)}`;
  }
  return text;
}

export function viewPhaseTitle({ colors }: CliContext, { title, agent, channel, started, id }: Phase): string {
  const who = agent === null ? "" : ` ${colors.cyan(`@${cleanLine(agent)}`)}`;
  const where = channel === null ? "" : ` ${colors.magenta(`#${cleanLine(channel)}`)}`;
  const when = started === null ? "" : colors.dim(` ${localTime(started).slice(11)}`);
  return `${colors.bold(colors.underline(cleanLine(title)))}${who}${where}${when} ${colors.dim(cleanLine(id))}`;
}

export function viewEntry(context: CliContext, entry: Entry, embeds: ShownSession["embeds"]): string {
  const { colors } = context;
  switch (entry.kind) {
    case "tool": {
      const mark = entry.failed ? colors.red("✗") : colors.dim("·");
      const args = entry.args.includes("\n") ? `\n${indent(clean(entry.args), 6)}` : ` ${cleanLine(entry.args)}`;
      const whole = entry.full === undefined ? "" : colors.dim(`\n      whole: ${cleanLine(entry.full)}`);
      const result = entry.result === undefined ? "" : `\n    ${colors.dim("→")} ${cleanLine(entry.result)}`;
      return `  ${mark} ${colors.bold(cleanLine(entry.name))}${entry.args === "" ? "" : args}${whole}${result}`;
    }
    case "text":
    case "note":
      return indent(clean(entry.text));
    case "decision":
      return callout(colors.green("decision"), entry.text);
    case "task_complete":
      return callout(colors.green("complete"), entry.text);
    case "decision_needed":
    case "approval_required":
      return callout(
        colors.yellow(entry.kind === "decision_needed" ? "decision needed" : "approval required"),
        entry.text,
        entry.id,
      );
    case "answer":
      return callout(colors.green("answer"), entry.text, entry.id);
    case "error":
      return callout(colors.red("error"), withField(entry.text, "Resolution", entry.resolution));
    case "user":
      return callout(colors.blue("user"), withField(`“${entry.text}”`, "Action", entry.action));
    case "tokens":
      return colors.dim(
        `  ${number(entry.tokens)} tokens${entry.model === undefined ? "" : ` · ${cleanLine(entry.model)}`}`,
      );
    case "subagent": {
      const model = entry.model === undefined ? "" : ` (${entry.model})`;
      const tokens = entry.tokens === undefined ? "" : ` · ${number(entry.tokens)} tokens`;
      const link = entry.session === undefined ? "" : ` → ${entry.session}`;
      const said = [entry.content, entry.summary].filter((text) => text !== undefined).join("\n");
      const title = colors.cyan(cleanLine(`subagent @${entry.agent}${model}${link}${tokens}`));
      return (
        callout(title, said) + viewEmbed(context, entry.mode === "embed" ? embeds[entry.session ?? ""] : undefined)
      );
    }
  }
}

function viewEmbed(context: CliContext, embed: ShownSession | { problem: string } | undefined): string {
  if (!embed) return "";
  if ("problem" in embed) return `\n  ${context.colors.dim(`┊ ${cleanLine(embed.problem)}`)}`;
  const lines = embed.document.phases
    .map((phase) => viewPhase(context, phase, embed.embeds))
    .join("\n")
    .split("\n");
  return `\n${lines.map((line) => `  ${context.colors.dim("┊")} ${line}`).join("\n")}`;
}

function withField(text: string, name: string, value: string | undefined): string {
  return value === undefined ? text : `${text}\n${name}: ${value}`;
}

function callout(title: string, text: string, id?: string): string {
  const head = `  ▌ ${title}${id === undefined ? "" : ` ${cleanLine(id)}`}`;
  if (text === "") return head;
  return [
    head,
    ...clean(text)
      .split("\n")
      .map((line) => `  ▌ ${line}`),
  ].join("\n");
}

function indent(text: string, by = 2): string {
  return text.replace(/^(?=.)/gm, " ".repeat(by));
}
