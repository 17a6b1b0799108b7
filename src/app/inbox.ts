import { ClewError } from "../contract/errors.ts";
import type { InboxItem } from "../contract/session-row.ts";
import type { Log } from "./log.ts";
import type { Projections } from "./projections.ts";
import type { Sessions } from "./sessions.ts";

/** What waits for a person, over all sessions. */
export class Inbox {
  private readonly sessions: Sessions;
  private readonly projections: Projections;
  private readonly log: Log;

  constructor(sessions: Sessions, projections: Projections, log: Log) {
    this.sessions = sessions;
    this.projections = projections;
    this.log = log;
  }

  async items(): Promise<InboxItem[]> {
    await this.sessions.foldOpen();
    await this.projections.refresh();
    return this.projections.ask((index) => index.inbox());
  }

  async answer(id: string, text: string): Promise<InboxItem> {
    const items = await this.items();
    const item = items.find((each) => each.id === id);
    if (!item) {
      const waiting = items
        .map((each) => each.id)
        .slice(0, 10)
        .join(", ");
      throw new ClewError(
        "unknown_inbox_item",
        `nothing in the inbox has the id ${JSON.stringify(id)}`,
        waiting === "" ? "nothing waits for an answer" : `these wait: ${waiting}`,
      );
    }
    if (text.trim() === "") throw new ClewError("invalid_input", "the answer is empty", `clew inbox answer ${id} TEXT`);
    await this.log.answer(item.session_id, id, text);
    return item;
  }
}
