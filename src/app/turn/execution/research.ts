import type { PlannedAction } from "../../../contract/plan.ts";
import { trimEndOf } from "../../../text/trim.ts";
import type { ActionEnd } from "./action-log.ts";
import type { ExecutionParts } from "./parts.ts";

type ResearchAction = Extract<PlannedAction, { type: "RESEARCH" }>;

/** What READ and RESEARCH say of paths: they are given to the next turn, and a missing one is named. */
export function readPaths({ files }: Pick<ExecutionParts, "files">, paths: string[]): ActionEnd {
  const refused: string[] = [];
  const missing: string[] = [];
  for (const path of paths.map((each) => trimEndOf(each, "/"))) {
    // What a glob finds is seen when the next turn is planned.
    if (/[*?[\]{}]/.test(path)) continue;
    const state = files.look(path);
    if (state.kind === "missing") missing.push(path);
    if (state.kind === "refused" && files.folderProblem(path) !== undefined) refused.push(`${path} ${state.reason}`);
  }
  if (refused.length > 0) return { status: "FAILURE", details: refused.join("\n") };
  if (missing.length > 0) return { status: "SUCCESS", details: `not there now: ${missing.join(", ")}` };
  return { status: "SUCCESS" };
}

/** Fetches pages, and has questions answered. `text` is what they gave, as the next turn reads it. */
export async function research(
  parts: Pick<ExecutionParts, "files" | "fetchPage" | "askAgent">,
  action: ResearchAction,
  signal: AbortSignal,
): Promise<ActionEnd & { text?: string }> {
  const paths = action.sources.flatMap(({ kind, text }) => (kind === "path" ? [text] : []));
  const others = action.sources.filter(({ kind }) => kind !== "path");
  const read = readPaths(parts, paths);
  if (read.status === "FAILURE" || others.length === 0) return read;
  const found: string[] = [];
  const failures: string[] = read.details === undefined ? [] : [read.details];
  let answered = 0;
  for (const { kind, text } of others) {
    if (signal.aborted) break;
    try {
      const [from, result] = kind === "url" ? await page(parts, text, signal) : await answer(parts, text, signal);
      found.push(`# ${oneLine(text)}\n\n${from}\n\n${result}\n`);
      answered++;
    } catch (error) {
      const reason = (error as Error).message;
      failures.push(`${oneLine(text)}: ${reason}`);
      found.push(`# ${oneLine(text)}\n\nNothing was found: ${reason}\n`);
    }
  }
  return {
    status: answered > 0 ? "SUCCESS" : "FAILURE",
    ...(failures.length > 0 && { details: failures.join("\n") }),
    text: found.join("\n"),
  };
}

async function page(
  parts: Pick<ExecutionParts, "fetchPage">,
  url: string,
  signal: AbortSignal,
): Promise<[string, string]> {
  const found = await parts.fetchPage(url, signal);
  return [`Fetched from ${found.url}`, found.text];
}

async function answer(
  parts: Pick<ExecutionParts, "askAgent">,
  query: string,
  signal: AbortSignal,
): Promise<[string, string]> {
  const found = await parts.askAgent(query, signal);
  return [`Answered by an agent, in the session ${found.session}`, found.answer];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
