import type { SessionDetails } from "../../contract/api/session-document.ts";
import type { Entry, Phase, SessionDocument, Task, TokensEntry, ToolEntry } from "../../contract/session.ts";
import type { Screen } from "../context.ts";
import { breadcrumbTable } from "./breadcrumb-view.ts";
import { clean, cleanLine } from "./clean.ts";
import type { Paint } from "./colors.ts";
import { markdownLines } from "./markdown.ts";
import { dollars, duration, localTime, number } from "./time.ts";
import { widthOf } from "./width.ts";
import { pathFrom } from "./words.ts";
import { wrap, wrapLines } from "./wrap.ts";

/** A session as a person reads it in a terminal: who and when, the tasks, then what happened, phase by phase. */
export function viewSession(screen: Screen, cwd: string, { document, path, embeds }: SessionDetails): string {
  const parts = [viewHead(screen, document, screen.onTerminal ? pathFrom(cwd, path) : path)];
  if (document.preamble !== undefined) parts.push(prose(screen, document.preamble, ""));
  if (document.tasks.length > 0) parts.push(viewTasks(screen, document.tasks));
  for (const phase of document.phases) parts.push(viewPhase(screen, phase, embeds));
  if (document.summary !== undefined)
    parts.push(`${screen.colors.bold("Summary")}\n${prose(screen, document.summary)}`);
  if (document.breadcrumbs) parts.push(viewLastBreadcrumbs(screen, document));
  return parts.join("\n\n");
}

const maxBreadcrumbs = 10;

function viewLastBreadcrumbs(screen: Screen, { breadcrumbs = [], frontmatter }: SessionDocument): string {
  const { colors } = screen;
  const earlier = breadcrumbs.length - maxBreadcrumbs;
  const more = `  ${earlier} before these: clew session breadcrumbs ${frontmatter.session_id}`;
  return [
    colors.bold("Breadcrumbs"),
    ...(earlier > 0 ? [colors.dim(more)] : []),
    breadcrumbTable(screen, breadcrumbs.slice(-maxBreadcrumbs)),
  ].join("\n");
}

function viewHead(screen: Screen, { frontmatter: head }: SessionDocument, path: string): string {
  const { colors } = screen;
  const span = head.ended === undefined ? "" : ` · ${duration(Date.parse(head.ended) - Date.parse(head.started))}`;
  const facts: [string, string | undefined][] = [
    ["status", `${head.status}${head.resume_point === undefined ? "" : `, resumes at ${head.resume_point}`}`],
    ["started", `${localTime(head.started)}${span}`],
    ["channel", head.channel],
    ["with", head.participants?.join(", ")],
    ["model", head.model],
    ["tokens", head.tokens_used === undefined ? undefined : number(head.tokens_used)],
    ["cost", head.cost_usd === undefined ? undefined : dollars(head.cost_usd)],
    ["parent", head.parent],
    ["branch", head.branch],
    ["error", head.error],
    // A person sees the path from the working folder, a program the whole.
    ["file", path],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${colors.dim(name.padEnd(8))} ${cleanLine(value)}`],
  );
  const [title, id] = [cleanLine(head.title), cleanLine(head.session_id)];
  const fits = !screen.onTerminal || widthOf(title) + 2 + widthOf(id) <= screen.width;
  const titleLines = wrapLines(screen, title).map((line) => colors.bold(line));
  const headLines = fits ? [`${titleLines.join("\n")}  ${colors.dim(id)}`] : [...titleLines, colors.dim(id)];
  return [...headLines, ...lines].join("\n");
}

function viewTasks({ colors }: Screen, tasks: Task[]): string {
  const marks = { completed: colors.green("✓"), in_progress: colors.yellow("▸"), pending: colors.dim("○") };
  const lines = tasks.map(({ status, content }) => `  ${marks[status]} ${cleanLine(content)}`);
  return [colors.bold("Tasks"), ...lines].join("\n");
}

function viewPhase(screen: Screen, phase: Phase, embeds: SessionDetails["embeds"]): string {
  let text = viewPhaseTitle(screen, phase);
  for (const [at, entry] of phase.entries.entries()) {
    // Tool calls stand together as a list; everything else gets air around it.
    const isInList = at === 0 || (entry.kind === "tool" && phase.entries[at - 1]!.kind === "tool");
    text += `${isInList ? "\n" : "\n\n"}${viewEntry(screen, entry, embeds)}`;
  }
  return text;
}

export function viewPhaseTitle({ colors }: Screen, { title, agent, channel, started, id }: Phase): string {
  const who = agent === null ? "" : ` ${colors.cyan(`@${cleanLine(agent)}`)}`;
  const where = channel === null ? "" : ` ${colors.magenta(`#${cleanLine(channel)}`)}`;
  const when = started === null ? "" : colors.dim(` ${localTime(started).slice(11)}`);
  return `${colors.bold(colors.underline(cleanLine(title)))}${who}${where}${when} ${colors.dim(cleanLine(id))}`;
}

export function viewEntry(screen: Screen, entry: Entry, embeds: SessionDetails["embeds"]): string {
  const { colors } = screen;
  switch (entry.kind) {
    case "tool": {
      const mark = entry.failed ? colors.red("✗") : colors.dim("·");
      const args = entry.args.includes("\n") ? `\n${indent(clean(entry.args), 6)}` : ` ${cleanLine(entry.args)}`;
      const whole = entry.full === undefined ? "" : colors.dim(`\n      whole: ${cleanLine(entry.full)}`);
      const result = viewResult(screen, entry);
      const lines = `${colors.bold(cleanLine(entry.name))}${entry.args === "" ? "" : args}${whole}${result}`;
      return hangLines(screen, `  ${mark} ${lines}`);
    }
    case "text":
    case "note":
      return prose(screen, entry.text);
    case "remark":
      return callout(screen, colors.dim, entry.about ?? "remark", entry.text, entry.at && localTime(entry.at));
    case "decision":
      return callout(screen, colors.green, "decision", entry.text);
    case "task_complete":
      return callout(screen, colors.green, "complete", entry.text);
    case "decision_needed":
    case "approval_required":
      return callout(screen, colors.yellow, entry.kind.replace("_", " "), entry.text, entry.id);
    case "answer":
      return callout(screen, colors.green, "answer", entry.text, entry.id);
    case "error":
      return callout(screen, colors.red, "error", withField(entry.text, "Resolution", entry.resolution));
    case "user":
      return callout(screen, colors.blue, "user", withField(`“${entry.text}”`, "Action", entry.action));
    case "tokens":
      return colors.dim(`  ${usedText(entry)}`);
    case "subagent": {
      const model = entry.model === undefined ? "" : ` (${entry.model})`;
      const tokens = entry.tokens ? ` · ${number(entry.tokens)} tokens` : "";
      const link = entry.session === undefined ? "" : ` → ${entry.session}`;
      const text = [entry.content, entry.summary].filter((part) => part !== undefined).join("\n");
      const title = cleanLine(`subagent @${entry.agent}${model}${link}${tokens}`);
      return (
        callout(screen, colors.cyan, title, text) +
        viewEmbed(screen, entry.mode === "embed" ? embeds[entry.session ?? ""] : undefined)
      );
    }
  }
}

function viewResult({ colors }: Screen, { result, result_full: whole }: ToolEntry): string {
  if (whole !== undefined) return `\n    ${colors.dim("→")}\n${indent(clean(whole.replace(/\n$/, "")), 6)}`;
  return result === undefined ? "" : `\n    ${colors.dim("→")} ${cleanLine(result)}`;
}

function viewEmbed(screen: Screen, embed: SessionDetails | { problem: string } | undefined): string {
  if (!embed) return "";
  if ("problem" in embed) return `\n  ${screen.colors.dim(`┊ ${cleanLine(embed.problem)}`)}`;
  const lines = embed.document.phases
    .map((phase) => viewPhase(screen, phase, embed.embeds))
    .join("\n")
    .split("\n");
  return `\n${lines.map((line) => `  ${screen.colors.dim("┊")} ${line}`).join("\n")}`;
}

function withField(text: string, name: string, value: string | undefined): string {
  return value === undefined ? text : `${text}\n${name}: ${value}`;
}

/** A text beside a bar, in the colour of what it is. */
function callout(screen: Screen, paint: Paint, title: string, text: string, id?: string): string {
  // In a pipe the bar has no colour, even if colours are forced: a program may look for it.
  const bar = screen.onTerminal ? paint("▌") : "▌";
  const label = `${title}${id === undefined ? "" : ` ${cleanLine(id)}`}`;
  const fits = !screen.onTerminal || widthOf(label) + 4 <= screen.width;
  const head = fits
    ? [`  ${bar} ${paint(title)}${label.slice(title.length)}`]
    : wrapLines({ ...screen, width: screen.width - 4 }, label).map((line) => `  ${bar} ${paint(line)}`);
  if (text === "") return head.join("\n");
  return [...head, ...markdownLines(screen, text, screen.width - 4).map((line) => `  ${bar} ${line}`)].join("\n");
}

/** What an entry counts; one of 0 tokens is there for its cost alone. */
function usedText({ tokens, cost_usd, model }: TokensEntry): string {
  const figure = tokens === 0 && cost_usd !== undefined ? dollars(cost_usd) : `${number(tokens)} tokens`;
  return model === undefined ? figure : `${figure} · ${cleanLine(model)}`;
}

/** Lines that are too long go on below their own beginning. */
function hangLines({ onTerminal, width }: Screen, text: string): string {
  if (!onTerminal) return text;
  const lines = text.split("\n").flatMap((line, at) => {
    const [first = "", ...more] = wrap(line, at === 0 ? width - 2 : width);
    // The first line of a tool call begins with its mark, and goes on where its name stands.
    return at > 0 ? [first, ...more] : [first, ...more.map((each) => `    ${each.trimStart()}`)];
  });
  return lines.join("\n");
}

function prose(screen: Screen, text: string, margin = "  "): string {
  return markdownLines(screen, text, screen.width - margin.length)
    .map((line) => (line === "" ? "" : `${margin}${line}`))
    .join("\n");
}

function indent(text: string, by = 2): string {
  return text.replace(/^(?=.)/gm, " ".repeat(by));
}
