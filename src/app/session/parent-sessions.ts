import { ClewError } from "../../contract/errors.ts";
import type { Redact } from "../../contract/redacted.ts";
import type { Frontmatter, SubagentNews } from "../../contract/session.ts";
import { amendCallout } from "./amend-callout.ts";
import type { RecordWriter, SavedRecord, SessionRecords } from "./ports.ts";

type Change = (id: string, work: (record: RecordWriter) => Promise<SavedRecord | undefined>) => Promise<void>;

/** Sessions whose subagents have sessions of their own: what those count, and that one was deleted, is told to them. */
export class ParentSessions {
  readonly #records: SessionRecords;
  readonly #redact: () => Promise<Redact>;
  readonly #change: Change;

  constructor(records: SessionRecords, redact: () => Promise<Redact>, change: Change) {
    this.#records = records;
    this.#redact = redact;
    this.#change = change;
  }

  async tellCount({ session_id: session, parent, tokens_used: tokens }: Frontmatter): Promise<void> {
    if (parent !== undefined && tokens !== undefined) await this.tell(parent, { session, tokens });
  }

  /** What a subagent's session did is done, whether or not its parent can be told. */
  async tell(parent: string, news: SubagentNews): Promise<void> {
    if (!this.#records.exists(parent)) return;
    const { session, tokens } = news;
    try {
      await this.#change(parent, async (record) => {
        const { subagents, openLinks } = record.tally;
        const ref = subagents.findLast((each) => each.session === session);
        if (!ref) return undefined;
        const isAtWork = openLinks.some((each) => each.session === session);
        const isOutdated = tokens !== undefined && ref.tokens !== undefined && ref.tokens !== tokens;
        if (!isAtWork && isOutdated) await amendCallout(record, session, { tokens }, await this.#redact());
        return record.save(news);
      });
    } catch (error) {
      if (!(error instanceof ClewError)) throw error;
    }
  }

  /** Whose subagent's session this is; one that cannot be read is nobody's. */
  async of(id: string): Promise<string | undefined> {
    try {
      return (await this.#records.read(id)).frontmatter.parent;
    } catch (error) {
      if (error instanceof ClewError) return undefined;
      throw error;
    }
  }
}
