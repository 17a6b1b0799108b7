import { ClewError } from "../../contract/errors.ts";
import { isSessionId } from "../../session/session-id.ts";
import type { SessionOwners } from "./owner.ts";
import type { SessionRecords } from "./ports.ts";
import type { Projections } from "./projections.ts";

/** How a person names a session: an id, a unique prefix, a path, `latest`, or nothing when only one is active. */
export class SessionFinder {
  readonly #records: SessionRecords;
  readonly #projections: Projections;
  readonly #folder: string;
  readonly #resolvePath: (path: string) => string;
  readonly #owners: Pick<SessionOwners, "isNamedByOwner">;

  /** `folder` is the sessions folder; `resolvePath` turns a path into the real, absolute one. */
  constructor(
    records: SessionRecords,
    projections: Projections,
    folder: string,
    resolvePath: (path: string) => string,
    owners: Pick<SessionOwners, "isNamedByOwner">,
  ) {
    this.#records = records;
    this.#projections = projections;
    this.#folder = folder;
    this.#resolvePath = resolvePath;
    this.#owners = owners;
  }

  /** Without a name, the one session that is active. */
  async find(name: string | undefined): Promise<string> {
    if (name === undefined) return this.#active();
    if (name === "latest") return this.#latest();
    const id = /[/]|\.md$|^\.{1,2}$/.test(name) ? this.#fromPath(name) : name;
    if (!isSessionId(id)) {
      throw new ClewError(
        "invalid_id",
        `${JSON.stringify(name)} cannot be a session: ids are lower-case letters, digits and dashes`,
        "clew session list shows the ids",
      );
    }
    if (this.#records.exists(id)) return id;
    return this.#byPrefix(id);
  }

  /** The one session that is active. A subagent's is only meant by its name: what is logged blindly belongs to nobody's child. */
  async #active(): Promise<string> {
    let found = await this.#activeSessions();
    if (found.ids.length !== 1) {
      await this.#projections.refresh();
      found = await this.#activeSessions();
    }
    const { ids, children } = found;
    const [only, ...others] = ids;
    if (only === undefined) throw noActiveSession(children);
    if (others.length === 0) return only;
    throw new ClewError(
      "several_active",
      `${ids.length} sessions are active: ${someOf(ids)}`,
      "say which: -s ID, or set CLEW_SESSION",
    );
  }

  /** `children` are subagents' sessions, which count for nobody who names none. */
  async #activeSessions(): Promise<{ ids: string[]; children: string[] }> {
    const ids: string[] = [];
    const children: string[] = [];
    for (const id of this.#records.openIds().toSorted()) {
      const known = this.#records.glance(id) ?? (await this.#look(id));
      if (known?.status !== "active") continue;
      (known.parent === null ? ids : children).push(id);
    }
    // An owner writes its sessions itself; a person means another one, and one that is on this branch.
    const chosen = prefer(
      prefer(ids, (id) => !this.#owners.isNamedByOwner(id)),
      (id) => this.#records.isHere(id),
    );
    return { ids: chosen, children };
  }

  /** What the file itself says, where nothing is kept beside it. One that cannot be read may be meant: whoever opens it is told why. */
  async #look(id: string): Promise<{ status: string; parent: string | null } | undefined> {
    if (!this.#records.exists(id)) return undefined;
    try {
      const { status, parent = null } = (await this.#records.read(id)).frontmatter;
      return { status, parent };
    } catch (error) {
      if (error instanceof ClewError) return { status: "active", parent: null };
      throw error;
    }
  }

  /** The newest that is nobody's child. */
  async #latest(): Promise<string> {
    await this.#projections.refresh();
    const children: string[] = [];
    for (let limit = 10; ; limit *= 4) {
      const rows = await this.#projections.ask((index) => index.newest({ archived: true }, limit));
      for (const { session_id: id } of rows.slice(children.length)) {
        const known = this.#records.glance(id) ?? (await this.#look(id));
        if (known?.parent == null) return id;
        children.push(id);
      }
      if (rows.length < limit) throw noSession(children);
    }
  }

  /** A path counts when it leads into the sessions folder: to a session's folder or file. */
  #fromPath(name: string): string {
    const path = this.#resolvePath(name).replace(/\/session\.md$/, "");
    const id = path.slice(this.#folder.length + 1);
    if (path.startsWith(`${this.#folder}/`) && !id.includes("/")) return id;
    throw new ClewError(
      "unknown_session",
      `${name} is not in the sessions folder ${this.#folder}`,
      "give an id, or a path in that folder",
    );
  }

  async #byPrefix(prefix: string): Promise<string> {
    await this.#projections.refresh();
    const ids = await this.#projections.ask((index) => index.ids());
    const matches = ids.filter((id) => id.startsWith(prefix));
    const [only, ...others] = matches;
    if (only === undefined) {
      throw new ClewError(
        "unknown_session",
        `there is no session ${prefix}`,
        "clew session list shows those that exist",
      );
    }
    if (others.length === 0) return only;
    throw new ClewError(
      "ambiguous_session",
      `${prefix} is the beginning of ${matches.length} sessions: ${someOf(matches)}`,
      "give more letters of the id",
    );
  }
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

/** Those that are so, or all when none is. */
function prefer(ids: string[], isSo: (id: string) => boolean): string[] {
  const chosen = ids.filter(isSo);
  return chosen.length > 0 ? chosen : ids;
}
