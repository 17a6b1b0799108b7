import { ClewError } from "../contract/errors.ts";
import { isSessionId } from "../session/session-id.ts";
import type { SessionRecords } from "./ports.ts";
import type { Projections } from "./projections.ts";

/** How a person names a session: an id, a unique prefix, a path, `latest`, or nothing when only one is active. */
export class SessionFinder {
  private readonly records: SessionRecords;
  private readonly projections: Projections;
  private readonly folder: string;
  private readonly resolvePath: (path: string) => string;
  private readonly isRun: (id: string) => boolean;

  /** `folder` is the sessions folder; `resolvePath` turns a path as a person gave it into the real, absolute one; `isRun` tells a run's
   * session by its id. */
  constructor(
    records: SessionRecords,
    projections: Projections,
    folder: string,
    resolvePath: (path: string) => string,
    isRun: (id: string) => boolean,
  ) {
    this.records = records;
    this.projections = projections;
    this.folder = folder;
    this.resolvePath = resolvePath;
    this.isRun = isRun;
  }

  async find(name: string): Promise<string> {
    if (name === "latest") return this.latest();
    const id = /[/]|\.md$|^\.{1,2}$/.test(name) ? this.fromPath(name) : name;
    if (!isSessionId(id)) {
      throw new ClewError(
        "invalid_id",
        `${JSON.stringify(name)} cannot be a session: ids are lower-case letters, digits and dashes`,
        "clew session list shows the ids",
      );
    }
    if (this.records.exists(id)) return id;
    return this.byPrefix(id);
  }

  /** The one session that is active. A subagent's session does not count beside its parent. */
  async active(): Promise<string> {
    let ids = this.activeIds();
    if (ids.length !== 1) {
      await this.projections.refresh();
      ids = this.activeIds();
    }
    const [only, ...others] = ids;
    if (only === undefined) {
      throw new ClewError(
        "no_active_session",
        "no session is active in this repository",
        "start one: clew session start TITLE; or name one: -s ID",
      );
    }
    if (others.length === 0) return only;
    throw new ClewError(
      "several_active",
      `${ids.length} sessions are active: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`,
      "say which: -s ID, or set CLEW_SESSION",
    );
  }

  private activeIds(): string[] {
    const active = new Map(
      this.records
        .openIds()
        .toSorted()
        .map((id) => [id, this.records.glance(id)] as const)
        .filter(([id, glance]) => (glance ? glance.status === "active" : this.records.exists(id))),
    );
    const ids = [...active].filter(([, glance]) => !active.has(glance?.parent ?? "")).map(([id]) => id);
    // A run writes its session itself; a person means another one, and one that is on this branch.
    return prefer(
      prefer(ids, (id) => !this.isRun(id)),
      (id) => this.records.isHere(id),
    );
  }

  private async latest(): Promise<string> {
    await this.projections.refresh();
    const [row] = await this.projections.ask((index) => index.newest({ archived: true }, 1));
    if (row) return row.session_id;
    throw new ClewError("unknown_session", "there is no session yet", "start one: clew session start TITLE");
  }

  /** A path counts when it leads into the sessions folder: to a session's folder or file. */
  private fromPath(name: string): string {
    const path = this.resolvePath(name).replace(/\/session\.md$/, "");
    const id = path.slice(this.folder.length + 1);
    if (path.startsWith(`${this.folder}/`) && !id.includes("/")) return id;
    throw new ClewError(
      "unknown_session",
      `${name} is not in the sessions folder ${this.folder}`,
      "give an id, or a path in that folder",
    );
  }

  private async byPrefix(prefix: string): Promise<string> {
    await this.projections.refresh();
    const ids = await this.projections.ask((index) => index.ids());
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
      `${prefix} is the beginning of ${matches.length} sessions: ${matches.slice(0, 10).join(", ")}${matches.length > 10 ? ", …" : ""}`,
      "give more letters of the id",
    );
  }
}

/** Those that are so, or all when none is. */
function prefer(ids: string[], isSo: (id: string) => boolean): string[] {
  const chosen = ids.filter(isSo);
  return chosen.length > 0 ? chosen : ids;
}
