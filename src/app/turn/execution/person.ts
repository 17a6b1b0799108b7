import type {
  ExecutionAnswer,
  ExecutionNews,
  ExecutionQuestion,
  ShownAction,
} from "../../../contract/api/turn-execution.ts";
import type { Approval } from "../../../contract/turn-report.ts";
import type { Need } from "./approval.ts";

/** Who is asked, and what is approved without a question. */
export interface Person {
  /**
   * `all`: only what a rule wants to be asked, and what steers Clew, is asked; `allowed`: nothing is approved but by rules. Numbers of actions: these are
   * approved, and all others that change or run something are denied, also those that a rule allows.
   */
  approve: "ask" | "all" | "allowed" | readonly number[];
  /** Undefined where nobody can be asked. */
  ask: ((question: ExecutionQuestion) => Promise<ExecutionAnswer | undefined>) | undefined;
  tell: (news: ExecutionNews) => void;
}

/** Decides what is asked and what is not. */
export class Approvals {
  readonly #person: Person;
  /** A person approved all that follows. */
  #isRestApproved = false;

  constructor(person: Person) {
    this.#person = person;
  }

  /** The approval that an action has without a question; undefined when it must be asked about. */
  without(need: Need, action: number): Approval | undefined {
    const { approve } = this.#person;
    if (need.approval === "denied") return { by: "policy", answer: "deny", reason: need.reason };
    if (need.approval === "none_needed") return { by: "none_needed", answer: "none" };
    if (typeof approve === "object")
      return approve.includes(action)
        ? { by: "user", answer: "approve" }
        : { by: "user", answer: "deny", reason: "not among the actions that were approved" };
    if (need.approval === "policy") return { by: "policy", answer: "approve", reason: need.reason };
    if (need.mustAsk) return undefined;
    if (this.#isRestApproved) return { by: "user", answer: "approve_rest" };
    return approve === "all" ? { by: "flag", answer: "approve" } : undefined;
  }

  tellShown(shown: ShownAction, of: number, approval: Approval): void {
    this.#person.tell({ type: "action", shown, of, by: approval.by });
  }

  /** `undefined`: nobody answered, so that the execution stops. */
  async ask(question: Extract<ExecutionQuestion, { about: "action" }>): Promise<ExecutionAnswer | undefined> {
    const answer = await this.#person.ask?.(question);
    if (answer?.answer === "approve_rest") this.#isRestApproved = true;
    return answer;
  }
}
