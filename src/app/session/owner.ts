import type { AnsweredItem, AnyInboxItem, InboxItem } from "../../contract/api/inbox.ts";
import type { SessionKind } from "../../contract/session-values.ts";

/** What became of a session that its owner brought up to date. `none`: it has no owner, or cannot be brought up to date. */
export type Upkeep = "settled" | "at_work" | "none";

/**
 * Keeps the sessions of one kind: writes them, ends them and takes the answers to their questions. It is asked about every
 * session whose name it may have given, and tells when one is not its own.
 */
export interface SessionOwner {
  /** Called before the session is read. `settled`: it has all that there is. `at_work`: its owner writes to it now. */
  bringUpToDate(id: string): Promise<Upkeep>;
  /** Throws when the session may not be ended or deleted now. */
  refuseEnd(id: string): Promise<void>;
  /** Throws when the session may not be paused by this process. */
  refusePause?(id: string): Promise<void>;
  /** Throws when the session may not be put away now: lists would hide what it holds. */
  refuseArchive?(id: string): Promise<void>;
  /** Called when the session is over, or was deleted: it lets go of what it held. */
  letGo?(id: string, options: { isDeleted: boolean }): Promise<void>;
  /** Called when a session is resumed. False when it is to be opened again like any other. */
  resume(id: string): Promise<boolean>;
  /** Takes an answer that is no entry of the session; undefined when it is one. */
  answer(item: InboxItem, text: string): Promise<Pick<AnsweredItem, "run"> | undefined>;
  /** Whether it waits for the answer to this question of the session. */
  awaits(id: string, questionId: string): Promise<boolean>;
  /** A question with what asks it, and with what became of an earlier answer; undefined when it is asked no more. */
  describe(item: InboxItem): Promise<InboxItem | undefined>;
  /** What waits for a person, without the questions with these ids. */
  waiting(knownIds: ReadonlySet<string>): Promise<AnyInboxItem[]>;
}

/** An owner that is loaded when there may be something for it to do. The other questions cost next to nothing. */
export interface RegisteredOwner {
  /** Whether it gives a session this name. */
  names(id: string): boolean;
  /** Whether it has any session. */
  hasAny(): boolean;
  load(): Promise<SessionOwner>;
}

/** All owners together. */
export interface SessionOwners extends Pick<SessionOwner, "describe" | "waiting"> {
  /** Whether a session has the name that an owner gives. Reads nothing. */
  isNamedByOwner(id: string): boolean;
  /** The owner whose session this may be. */
  of(id: string): Promise<SessionOwner | undefined>;
}

export function sessionOwners(byKind: Partial<Record<SessionKind, RegisteredOwner>>): SessionOwners {
  const owners = Object.values(byKind);
  const ownerOf = async (id: string): Promise<SessionOwner | undefined> => {
    const names = candidateIds(id);
    return owners.find((owner) => names.some((name) => owner.names(name)))?.load();
  };
  return {
    isNamedByOwner: (id) => owners.some((owner) => owner.names(id)),
    of: ownerOf,
    async describe(item) {
      const owner = await ownerOf(item.session_id);
      return owner ? owner.describe(item) : item;
    },
    async waiting(knownIds) {
      const items: AnyInboxItem[] = [];
      for (const owner of owners) if (owner.hasAny()) items.push(...(await (await owner.load()).waiting(knownIds)));
      return items;
    },
  };
}

/** The names that a session may have been created by: one whose name was taken got a number. */
export function candidateIds(id: string): string[] {
  return [...new Set([id, id.replace(/-\d+$/, "")])];
}
