import { Worker } from "node:worker_threads";
import { SearchDamaged, type FillInThreads, type MissingSession } from "../../app/search/ports.ts";
import { ClewError, type ErrorCode } from "../../contract/errors.ts";
import { partCount, partOf } from "./search-parts.ts";

/** What a thread gets to do: these sessions, which are all of one part. */
export interface PartWork {
  part: number;
  sessions: MissingSession[];
}

/** What a thread tells: how many more it put, and at last how it ended. */
export type ThreadMessage =
  | { kind: "put"; more: number }
  | { kind: "done" }
  | { kind: "damaged"; message: string }
  | { kind: "refused"; code: ErrorCode; message: string; hint: string };

/** A thread's spaces for young objects; what V8 takes by itself would be most of the memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/** One thread for each part of the search. `file` is their program; it gets `PartWork` and `about` as its data. */
export function fillInThreads(file: string, about: object): FillInThreads {
  return async (sessions, onPut) => {
    const works = Array.from({ length: partCount }, (_, part): PartWork => ({ part, sessions: [] }));
    for (const { session_id, started } of sessions) works[partOf(session_id)]!.sessions.push({ session_id, started });
    const ends = await Promise.allSettled(
      works
        .filter((work) => work.sessions.length > 0)
        .map((work) => runThread(new Worker(file, { workerData: { ...about, ...work }, resourceLimits }), onPut)),
    );
    const failed = ends.find((end) => end.status === "rejected");
    if (failed) throw failed.reason;
  };
}

function runThread(worker: Worker, onPut: (more: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on("message", (message: ThreadMessage) => {
      if (message.kind === "put") onPut(message.more);
      else if (message.kind === "done") resolve();
      else reject(toError(message));
    });
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`A thread that builds the search ended with ${code}`)));
  });
}

function toError(message: Extract<ThreadMessage, { kind: "damaged" | "refused" }>): Error {
  if (message.kind === "damaged") return new SearchDamaged(message.message);
  return new ClewError(message.code, message.message, message.hint);
}
