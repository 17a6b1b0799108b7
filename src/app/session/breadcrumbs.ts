import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import { breadcrumbLimits as limits, type NoteKind } from "../../contract/breadcrumb-values.ts";
import { ClewError } from "../../contract/errors.ts";
import { fromRedacted } from "../../contract/redacted.ts";
import { redactRecord } from "../../redact/redact-record.ts";
import { asOneLine } from "../../session/text.ts";
import { refuseEnded } from "./lifecycle.ts";
import type { SessionParts } from "./parts.ts";

/** What an agent notes itself. */
export interface AgentNote extends Pick<Breadcrumb, "task" | "engine" | "engine_session"> {
  kind: NoteKind;
  text: string;
  files?: string[] | undefined;
}

type Parts = Pick<SessionParts, "breadcrumbs" | "redact">;

/**
 * Keeps a breadcrumb: redacts it, cuts texts that are too long, checks its form. Resolves with its path once it is on disk.
 * The caller knows that its session may be written to.
 */
export async function addBreadcrumb(parts: Parts, sessionId: string, breadcrumb: Breadcrumb): Promise<string> {
  // First redacted, then cut: what is left of a secret that was cut is no secret to the rules.
  const safe = fromRedacted(redactRecord(breadcrumb, await parts.redact()), fitted);
  await check(safe);
  return parts.breadcrumbs.add(sessionId, safe);
}

/** Keeps what an agent notes of its work; an ended session refuses. */
export async function addNote(
  parts: Pick<SessionParts, "breadcrumbs" | "redact" | "records" | "clock">,
  sessionId: string,
  { kind, text, files = [], ...origin }: AgentNote,
): Promise<{ path: string; timestamp: string }> {
  const response = text.toWellFormed().trim();
  const note: Breadcrumb = {
    version: 1,
    timestamp: new Date(parts.clock.now()).toISOString(),
    depth: 0,
    kind,
    response,
    ...origin,
    ...(files.length > 0 && { files_modified: files }),
  };
  if (response === "") throw new ClewError("invalid_input", "text: must not be empty", noteHint);
  await check(note);
  return parts.records.change(sessionId, async (record) => {
    refuseEnded(sessionId, record);
    return { path: await addBreadcrumb(parts, sessionId, note), timestamp: note.timestamp };
  });
}

const noteHint = "clew session breadcrumb add --help shows the form and an example";

async function check(breadcrumb: Breadcrumb): Promise<void> {
  const [{ breadcrumb: schema }, { firstProblem }] = await Promise.all([
    import("../../contract/breadcrumb.ts"),
    import("../../contract/session-schema.ts"),
  ]);
  const checked = schema.safeParse(breadcrumb);
  if (!checked.success) throw new ClewError("invalid_input", firstProblem(checked.error), noteHint);
}

/** Whatever an agent did, its round has a breadcrumb: what is too long is cut, and the transcript has the rest. */
function fitted(breadcrumb: Breadcrumb): Breadcrumb {
  const {
    prompt,
    response,
    tools_called: tools,
    files_modified: files,
    model,
    engine_session,
    call,
    ...rest
  } = breadcrumb;
  return {
    ...rest,
    ...(call !== undefined && line(call) !== "" && { call: line(call) }),
    ...(prompt !== undefined && { prompt: cut(prompt, limits.text) }),
    ...(response !== undefined && { response: cut(response, limits.text) }),
    ...(tools && {
      tools_called: tools.slice(0, limits.tools).map(({ name, about, ...tool }) => ({
        ...tool,
        name: line(name) || "tool",
        ...(about !== undefined && line(about) !== "" && { about: line(about) }),
      })),
    }),
    ...(files && { files_modified: files.slice(0, limits.files).map((path) => cut(path, limits.line)) }),
    ...(model !== undefined && line(model) !== "" && { model: line(model) }),
    ...(engine_session !== undefined && engine_session !== "" && { engine_session: line(engine_session) }),
    depth: Math.min(rest.depth, limits.depth),
  };
}

function line(text: string): string {
  return cut(asOneLine(text.slice(0, limits.line * 2)), limits.line);
}

/** Never inside a surrogate pair. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
