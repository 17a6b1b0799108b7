import type { ExecutionAnswer } from "../../../contract/api/turn-execution.ts";
import { ClewError } from "../../../contract/errors.ts";

/** Questions of an execution that wait for the person at the terminal. */
export class ExecutionQuestions {
  readonly #waiting = new Map<string, (answer: ExecutionAnswer | undefined) => void>();
  #last = 0;

  /** Resolves with undefined when no answer comes any more. */
  ask(tell: (id: string) => void, signal: AbortSignal): Promise<ExecutionAnswer | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const id = `question-${++this.#last}`;
    return new Promise((resolve) => {
      const end = (answer: ExecutionAnswer | undefined): void => {
        signal.removeEventListener("abort", stop);
        this.#waiting.delete(id);
        resolve(answer);
      };
      const stop = (): void => end(undefined);
      signal.addEventListener("abort", stop);
      this.#waiting.set(id, end);
      tell(id);
    });
  }

  answer(id: string, answer: ExecutionAnswer): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) throw new ClewError("not_possible_now", `${id} is not asked now`, "answer the last question");
    waiting(answer);
  }
}
