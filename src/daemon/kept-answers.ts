import { createHash } from "node:crypto";
import type { KeptAnswer, KeptAnswers } from "../app/daemon/ports.ts";
import { ClewError } from "../contract/errors.ts";
import type { Answer } from "./answer.ts";

interface Asked {
  /** Who asks: each has keys of its own. */
  client: string;
  /** The header of a request that may be repeated. */
  key: string;
  /** All that must be the same when it is: what is asked, with which body. */
  parts: string[];
}

const maxKeyChars = 255;

/** Requests that may be repeated, by their keys. */
export class RepeatableRequests {
  readonly #kept: KeptAnswers;
  /** Those that are being answered. */
  readonly #working = new Map<string, { fingerprint: string; answer: Promise<Answer> }>();

  constructor(kept: KeptAnswers) {
    this.#kept = kept;
  }

  /**
   * Does something once, however often it is asked with the same key; the answer to a repeated request is the first one. One
   * that comes while the first is being answered waits for it.
   */
  async answer({ client, key: given, parts }: Asked, work: () => Promise<Answer>): Promise<Answer> {
    if (given.length > maxKeyChars || !/^[\x21-\x7e]+$/.test(given))
      throw new ClewError("usage", "an Idempotency-Key has 1 to 255 plain characters", "a random UUID is a good one");
    const key = `${client} ${given}`;
    const fingerprint = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
    const working = this.#working.get(key);
    if (working && working.fingerprint !== fingerprint) throw otherRequest();
    if (working) return repeated(await working.answer);
    const answer = answerFirst(this.#kept, { key, fingerprint }, work);
    this.#working.set(key, { fingerprint, answer });
    try {
      return await answer;
    } finally {
      this.#working.delete(key);
    }
  }
}

async function answerFirst(
  kept: KeptAnswers,
  { key, fingerprint }: { key: string; fingerprint: string },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const begun = await kept.begin(key, fingerprint);
  switch (begun.kind) {
    case "other":
      throw otherRequest();
    case "unfinished": {
      const message = "a request with this Idempotency-Key was begun, and its outcome is not known";
      throw new ClewError("not_possible_now", message, "look at what it was to change, then ask with a new key");
    }
    case "answered":
      return repeated(begun.answer);
    case "new": {
      const answer = await work();
      if (answer.status < 400) await kept.finish(key, fingerprint, answer);
      // What was refused changed nothing, and may be asked again. What broke on the way may have changed something.
      else if (answer.status < 500) await kept.forget(key);
      return answer;
    }
  }
}

function otherRequest(): ClewError {
  return new ClewError("usage", "this Idempotency-Key was used for another request", "take a new key");
}

function repeated({ status, type, text }: KeptAnswer): Answer {
  return { status, type, text, headers: { "idempotency-replayed": "true" } };
}
