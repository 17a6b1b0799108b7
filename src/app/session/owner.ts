import type { AnsweredItem, AnyInboxItem, InboxItem } from "../../contract/api/inbox.ts";
import type { SessionKind } from "../../contract/session-values.ts";

/** What became of a session that its owner brought up to date. `none`: it has no owner, or cannot be brought up to date. */
export type Upkeep = "settled" | "at_work" | "none";

/**
 * What keeps the sessions of one kind: it writes them, ends them and takes the answers to their questions. It is asked about
 * every session that may be its own by its name, and tells when one is not.
 */
export interface SessionOwner {
  /** Before somebody reads. `settled`: it has all that there is. `at_work`: its owner writes to it now. */
  bringUpToDate(id: string): Promise<Upkeep>;
  /** Throws when the session may not be ended or deleted now. */
  refuseEnd(id: string): Promise<void>;
  /** Somebody wants to go on with a session. False when it is to be opened again like any other. */
  resume(id: string): Promise<boolean>;
  /** Takes an answer that is no entry of the session; undefined when it is one. */
  answer(item: InboxItem, text: string): Promise<Pick<AnsweredItem, "run"> | undefined>;
  /** A question with who asks it, and with what became of an earlier answer. */
  describe(item: InboxItem): Promise<InboxItem>;
  /** What waits for a person, beside the questions with these ids. */
  waiting(known: ReadonlySet<string>): Promise<AnyInboxItem[]>;
}

/** An owner that is loaded when there may be something for it to do. The other questions cost next to nothing. */
export interface RegisteredOwner {
  /** Whether it gives a session this name. */
  names(id: string): boolean;
  /** Whether it has any session. */
  hasAny(): boolean;
  load(): Promise<SessionOwner>;
}

/** The owners, by the kind of their sessions. */
export class SessionOwners {
  readonly #owners: RegisteredOwner[];

  constructor(owners: Partial<Record<SessionKind, RegisteredOwner>>) {
    this.#owners = Object.values(owners);
  }

  /** Whether a session has the name that an owner gives. Reads nothing. */
  isNamedByOwner(id: string): boolean {
    return this.#owners.some((owner) => owner.names(id));
  }

  /** The owner whose session this may be. */
  async of(id: string): Promise<SessionOwner | undefined> {
    const names = candidateIds(id);
    return this.#owners.find((owner) => names.some((name) => owner.names(name)))?.load();
  }

  async describe(item: InboxItem): Promise<InboxItem> {
    return (await (await this.of(item.session_id))?.describe(item)) ?? item;
  }

  async waiting(known: ReadonlySet<string>): Promise<AnyInboxItem[]> {
    const items: AnyInboxItem[] = [];
    for (const owner of this.#owners) if (owner.hasAny()) items.push(...(await (await owner.load()).waiting(known)));
    return items;
  }
}

/** The names that a session may have been wanted by: one whose name was taken got a number. */
export function candidateIds(id: string): string[] {
  return [...new Set([id, id.replace(/-\d+$/, "")])];
}
