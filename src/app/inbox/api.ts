import type {
  AnyInboxItem,
  InboxApi,
  InboxItem,
  PlanItem,
  RefusedItem,
  RunItem,
  WorkItem,
} from "../../contract/api/inbox.ts";
import { ClewError } from "../../contract/errors.ts";
import { refuseAnyStep } from "../run/authority.ts";
import { answerQuestion, type QuestionDesk } from "../agent/question-desk.ts";
import type { LogParts } from "../session/log.ts";
import { inboxItems, rankedItems, type InboxParts } from "./items.ts";
import { inboxPage } from "./page.ts";

interface Parts extends InboxParts {
  log: () => Promise<LogParts>;
  /** Where the agents of live talks wait for answers. */
  questions: QuestionDesk;
}

/** What waits for a person, over all sessions and what owns them. */
export function inboxApi(parts: Parts): InboxApi {
  return {
    async list(request) {
      const ranked = await rankedItems(parts);
      await parts.sessions.projections.warnOfUnreadable();
      return inboxPage(ranked, request);
    },
    async answer({ id, text }) {
      const item = questionWithId(await inboxItems(parts), id);
      if (text.trim() === "") {
        throw new ClewError("invalid_input", "the answer is empty", `clew inbox answer ${id} TEXT`);
      }
      const { session_id } = item;
      const signalled = await (await parts.sessions.owners.of(session_id))?.answer(item, text);
      if (!signalled) {
        const { logAnswer } = await import("../session/log.ts");
        const log = await parts.log();
        refuseAnyStep(await log.caller());
        answerQuestion(parts.questions, id, text);
        await logAnswer(log, session_id, id, text);
      }
      return { id, session_id, ...signalled };
    },
  };
}

/** The question with this id. */
function questionWithId(items: AnyInboxItem[], id: string): InboxItem {
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
  if ("phase" in item) return item;
  throw unanswerable(item);
}

/** Nothing waits there that could take an answer. */
function unanswerable(item: RefusedItem | RunItem | WorkItem | PlanItem): ClewError {
  const way =
    "turn" in item
      ? `it is executed by ${item.next}, and given up by removing its plan.md`
      : "session_id" in item
        ? `it is gone on with by ${item.next}, and given up by clew session end ${item.session_id} --status abandoned`
        : "run" in item
          ? `it is gone on with by clew run resume ${item.run}, and given up by clew run cancel ${item.run}`
          : `no answer mends that: once it is mended, the daemon or clew run ${item.bead} tries again`;
  return new ClewError("not_possible_now", item.text.split("\n")[0]!, way);
}
