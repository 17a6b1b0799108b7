import { ClewError } from "../../contract/errors.ts";
import { isSessionId } from "../../session/session-id.ts";
import type { SessionParts } from "./parts.ts";

interface FinderParts extends Pick<SessionParts, "records" | "projections" | "owners"> {
  /** The sessions folder. */
  folder: string;
  /** Turns a path into the real, absolute one. */
  resolvePath: (path: string) => string;
}

/** The session that a person names: by an id, a unique prefix, a path or `latest`; without a name or by `active`, the only active one. */
export async function findSession(parts: FinderParts, name: string | undefined): Promise<string> {
  if (name === undefined || name === "active") return activeSession(parts);
  if (name === "latest") return latestSession(parts);
  const id = /[/]|\.md$|^\.{1,2}$/.test(name) ? idOfPath(parts, name) : name;
  if (!isSessionId(id)) {
    throw new ClewError(
      "invalid_id",
      `${JSON.stringify(name)} cannot be a session: ids are lower-case letters, digits and dashes`,
      "clew session list shows the ids",
    );
  }
  if (parts.records.exists(id)) return id;
  return idByPrefix(parts, id);
}

/** The one session that is active. A subagent's session counts only when it is named. */
async function activeSession(parts: FinderParts): Promise<string> {
  let active = await activeSessions(parts);
  if (active.ids.length !== 1) {
    await parts.projections.refresh();
    active = await activeSessions(parts);
  }
  const { ids, children } = active;
  const [only, ...others] = ids;
  if (only === undefined) throw noActiveSession(children);
  if (others.length === 0) return only;
  throw new ClewError(
    "several_active",
    `${ids.length} sessions are active: ${someOf(ids)}`,
    "say which: -s ID, or set CLEW_SESSION",
  );
}

/** `children` are the sessions of subagents. */
async function activeSessions(parts: FinderParts): Promise<{ ids: string[]; children: string[] }> {
  const ids: string[] = [];
  const children: string[] = [];
  for (const id of parts.records.openIds().toSorted()) {
    const standing = parts.records.glance(id) ?? (await standingInFile(parts, id));
    if (standing?.status !== "active") continue;
    (standing.parent === null ? ids : children).push(id);
  }
  // An owner writes its sessions itself; a person means another one, and one that is on this branch.
  const chosen = prefer(
    prefer(ids, (id) => !parts.owners.isNamedByOwner(id)),
    (id) => parts.records.isHere(id),
  );
  return { ids: chosen, children };
}

/** What the file says, where no state is kept beside it. One that cannot be read counts as active: opening it tells why. */
async function standingInFile(
  parts: FinderParts,
  id: string,
): Promise<{ status: string; parent: string | null } | undefined> {
  if (!parts.records.exists(id)) return undefined;
  try {
    const { status, parent = null } = (await parts.records.read(id)).frontmatter;
    return { status, parent };
  } catch (error) {
    if (error instanceof ClewError) return { status: "active", parent: null };
    throw error;
  }
}

/** The newest that is no subagent's. */
async function latestSession(parts: FinderParts): Promise<string> {
  await parts.projections.refresh();
  const children: string[] = [];
  for (let limit = 10; ; limit *= 4) {
    const rows = await parts.projections.ask((index) => index.newest({ archived: true }, limit));
    for (const { session_id: id } of rows.slice(children.length)) {
      const standing = parts.records.glance(id) ?? (await standingInFile(parts, id));
      if (standing?.parent == null) return id;
      children.push(id);
    }
    if (rows.length < limit) throw noSession(children);
  }
}

/** A path names a session when it leads to a session's folder or file in the sessions folder. */
function idOfPath(parts: FinderParts, name: string): string {
  const path = parts.resolvePath(name).replace(/\/session\.md$/, "");
  const id = path.slice(parts.folder.length + 1);
  if (path.startsWith(`${parts.folder}/`) && !id.includes("/")) return id;
  throw new ClewError(
    "unknown_session",
    `${name} is not in the sessions folder ${parts.folder}`,
    "give an id, or a path in that folder",
  );
}

async function idByPrefix(parts: FinderParts, prefix: string): Promise<string> {
  await parts.projections.refresh();
  const ids = await parts.projections.ask((index) => index.ids());
  const matches = ids.filter((id) => id.startsWith(prefix));
  const [only, ...others] = matches;
  if (only === undefined) {
    throw new ClewError("unknown_session", `there is no session ${prefix}`, "clew session list shows those that exist");
  }
  if (others.length === 0) return only;
  throw new ClewError(
    "ambiguous_session",
    `${prefix} is the beginning of ${matches.length} sessions: ${someOf(matches)}`,
    "give more letters of the id",
  );
}

function noSession(children: string[]): ClewError {
  if (children.length === 0)
    return new ClewError("unknown_session", "there is no session yet", "start one: clew session start TITLE");
  return new ClewError(
    "unknown_session",
    `there is no session but those of subagents: ${someOf(children)}`,
    "name the one you mean by its id",
  );
}

function noActiveSession(children: string[]): ClewError {
  if (children.length === 0) {
    return new ClewError(
      "no_active_session",
      "no session is active in this repository",
      "start one: clew session start TITLE; or name one: -s ID",
    );
  }
  return new ClewError(
    "no_active_session",
    `no session is active but those of subagents: ${someOf(children)}`,
    "name the one you mean: -s ID; or start one: clew session start TITLE",
  );
}

/** The first ten by name. */
function someOf(ids: string[]): string {
  return `${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`;
}

/** The ids that pass, or all when none does. */
function prefer(ids: string[], passes: (id: string) => boolean): string[] {
  const preferred = ids.filter(passes);
  return preferred.length > 0 ? preferred : ids;
}
