import type { ContextFile, EmptyLine } from "../../../contract/api/turn.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { ExecutionReport } from "../../../contract/turn-report.ts";
import { estimateTokens } from "../../../session/resume/tokens.ts";
import { cascade, type ContextLevel, type LevelLines, type RemovedEntry } from "../../../turn/context/cascade.ts";
import { readContextLines, readContextList, type ContextLine } from "../../../turn/context/context-list.ts";
import type { ShownFile } from "../../../turn/log/context-log.ts";
import { formatCount } from "../../../text/figures.ts";
import type { TurnParts } from "../parts.ts";
import type { FoundFile } from "../ports.ts";
import { planOf, reportOf } from "../read-turn.ts";

type Parts = Pick<TurnParts, "store" | "files" | "readRefusal" | "pathOf">;

/** What context lists bring in. */
export interface ListedContext {
  files: ContextFile[];
  removed: RemovedEntry[];
  /** The same files, as the agent is shown them; those that are missing are not among them. */
  shown: ShownFile[];
  missing: string[];
  /** Lines that bring in nothing. */
  empty: EmptyLine[];
}

/** What the plan after this turn is shown. `after` is null for the first. */
export async function listedContext(
  parts: Parts,
  session: string,
  after: string | null,
  agent: string,
): Promise<ListedContext> {
  const { files } = parts;
  const refusal = await parts.readRefusal();
  const fromTurn = after === null ? [] : await levelsOfTurn(parts, session, after);
  const levels: LevelLines[] = [
    { level: "global", lines: readContextList(files.globalList() ?? "") },
    { level: "session", lines: readContextList(files.sessionList(session) ?? "") },
    ...fromTurn,
  ];
  const { entries, removed, unmatched } = cascade(levels, (folders) => files.filesIn(folders));
  const context: ListedContext = { files: [], removed, shown: [], missing: [], empty: [] };
  for (const { path, level } of entries) {
    const reason = refusal?.(path, agent);
    addFile(context, reason === undefined ? files.look(path) : { kind: "omitted", reason, bytes: 0 }, path, level);
  }
  const empty = unmatched.map(({ level, line }) => ({
    level,
    line: line.line,
    text: line.pattern,
    why: "matches no file",
  }));
  context.empty = [...empty, ...emptyPaths(context.files, levels)];
  return context;
}

/** The lines whose one path is missing, or a folder. */
function emptyPaths(files: readonly ContextFile[], levels: readonly LevelLines[]): EmptyLine[] {
  return files.flatMap(({ path, level: of, missing, skipped }) => {
    const why = missing ? "is missing" : skipped === isFolder ? `is a folder: write ${path}/**` : undefined;
    if (why === undefined) return [];
    const { level, lines } = levels.find((each) => each.level === of)!;
    const line = lines.find(({ pattern, removes }) => pattern === path && !removes);
    return [{ level, line: line?.line ?? 0, text: path, why }];
  });
}

/** As `ContextFiles.look` tells it. */
const isFolder = "is a folder, not a file";

function addFile(context: ListedContext, found: FoundFile, path: string, level: ContextLevel): void {
  if (found.kind === "missing") {
    context.missing.push(path);
    context.files.push({ path, level, bytes: 0, tokens: 0, missing: true });
    return;
  }
  const { bytes } = found;
  if (found.kind === "omitted") {
    const size = bytes > 0 ? `, ${formatCount(bytes)} bytes` : "";
    context.shown.push({ path, omitted: found.reason + size });
    context.files.push({ path, level, bytes, tokens: 0, skipped: found.reason });
    return;
  }
  context.shown.push({ path, content: found.text });
  context.files.push({ path, level, bytes, tokens: estimateTokens(found.text) });
}

/** What the plan of a turn lists for the next, and what its actions found. */
async function levelsOfTurn({ store, pathOf }: Parts, session: string, turn: string): Promise<LevelLines[]> {
  const [plan, report] = [await planOf(store, session, turn), await reportOf(store, session, turn)];
  const found = (type: "READ" | "RESEARCH"): ContextLine[] =>
    report ? foundLines(report, type, (file) => pathOf(session, turn, file)) : [];
  return [
    { level: "vault", lines: readContextLines(plan?.vault ?? []) },
    { level: "read", lines: found("READ") },
    { level: "research", lines: found("RESEARCH") },
  ];
}

/** The files that actions of a type named, and those that hold what they found. */
function foundLines(
  report: ExecutionReport,
  type: "READ" | "RESEARCH",
  pathOf: (file: string) => string,
): ContextLine[] {
  const lines = report.action_log.flatMap((action) => {
    if (action.type !== type || action.status !== "SUCCESS") return [];
    const { output_file: file } = action;
    return [...sourcesIn(action.parameters["sources"]), ...(file === undefined ? [] : [pathOf(file)])];
  });
  // What an action names takes nothing out.
  return readContextLines(lines).filter(({ removes }) => !removes);
}

/** The paths among sources: texts, or what says of itself that it is a path. */
function sourcesIn(sources: unknown): string[] {
  if (!Array.isArray(sources)) return [];
  return sources.flatMap((source: unknown) => {
    const { kind = "path", text } = typeof source === "string" ? { text: source } : ((source ?? {}) as Source);
    return kind === "path" && typeof text === "string" && !/^https?:\/\//i.test(text) ? [text] : [];
  });
}

interface Source {
  kind?: unknown;
  text?: unknown;
}

/** Throws a ClewError that names the largest files when more would be sent than may be. */
export function refuseOverBudget(tokens: number, budget: number, files: readonly ContextFile[]): void {
  if (tokens <= budget) return;
  const largest = [...files]
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, 5)
    .filter((file) => file.tokens > 0)
    .map((file) => `${file.path} (${formatCount(file.tokens)}, ${file.level})`);
  const named = largest.length === 0 ? "" : `; the largest files: ${largest.join(", ")}`;
  throw new ClewError(
    "invalid_input",
    `the context is about ${formatCount(tokens)} tokens, and may be ${formatCount(budget)}${named}`,
    `take files out with a line !PATH in session.context, or allow more: --budget ${Math.ceil(tokens / 1000) * 1000}`,
  );
}
