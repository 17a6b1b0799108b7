import { assumeRedacted } from "../../../src/contract/redacted.ts";
import type { JournalLine } from "../../../src/contract/run-journal.ts";
import { StoppedByPerson, type StepResult, type StepWork } from "../../../src/contract/run.ts";
import type { Handlers, WorkContext } from "../../../src/run/handlers.ts";
import type { RunHost } from "../../../src/run/run-host.ts";
import type { Fault, FromWorker, Question, ToWorker } from "./messages.ts";

/** What some hosts can do beside. */
export interface ServedHost extends RunHost {
  journal?(runId: string | null): Promise<JournalLine[]>;
  attend?(handlers: Handlers): Promise<void>;
}

interface OpenTask extends Pick<WorkContext, "log" | "logNow"> {
  resolve: (result: StepResult) => void;
  reject: (error: Error) => void;
}

/** Does what the process that started this one asks of a host, and lets it do the work of the steps. */
export function serveHost(host: ServedHost): void {
  const drives = new Map<number, AbortController>();
  const tasks = new Map<number, OpenTask>();
  let count = 0;

  process.on("message", (message: ToWorker) => {
    if ("question" in message) void answer(message.ask, message.question);
    else if ("interrupt" in message) {
      const { stopped } = message;
      drives.get(message.interrupt)?.abort(stopped === undefined ? undefined : new StoppedByPerson(stopped));
    } else if ("note" in message) {
      const { note, now } = message;
      const task = tasks.get(message.task);
      if (now === undefined) task?.log(note);
      else void task?.logNow(note).then(() => send({ noted: now }));
    } else if ("fault" in message) tasks.get(message.done)?.reject(new Error(message.fault.message));
    else tasks.get(message.done)?.resolve(message.result);
  });
  // The process that started it is gone.
  process.on("disconnect", () => process.exit());
  send({ ready: true });

  async function answer(ask: number, question: Question): Promise<void> {
    try {
      send({ answer: ask, value: await act(ask, question) });
    } catch (error) {
      const { message, code } = error as Fault;
      send({ answer: ask, fault: { message, ...(code !== undefined && { code }) } });
    }
  }

  async function act(ask: number, question: Question): Promise<unknown> {
    switch (question.what) {
      case "start":
        return host.start(question.wantedId, question.pinned);
      case "signal":
        return host.signal(question.runId, question.signal, question.to, question.by);
      case "journal":
        return host.journal?.(question.runId);
      case "attend":
        return host.attend?.(handlersFor(ask));
      case "drive": {
        const controller = new AbortController();
        drives.set(ask, controller);
        const onLine = (line: JournalLine): void => send({ line, drive: ask });
        return host.drive(question.runId, { handlers: handlersFor(ask), signal: controller.signal, onLine });
      }
    }
  }

  function handlersFor(drive: number): Handlers {
    const work = (task: StepWork, { runId, pinned, signal, ...context }: WorkContext): Promise<StepResult> =>
      new Promise((resolve, reject) => {
        const number = ++count;
        tasks.set(number, { resolve, reject, ...context });
        signal.addEventListener("abort", () => send({ abort: number, reason: signal.reason }));
        send({
          task: number,
          drive,
          runId,
          pinned: assumeRedacted(pinned),
          work: task,
          landing: context.landing,
          verification: context.verification,
        });
      });
    return { script: work, agent: work, merge: work, offer: work, verify: work, worktree: work };
  }
}

function send(message: FromWorker): void {
  process.send?.(message);
}
