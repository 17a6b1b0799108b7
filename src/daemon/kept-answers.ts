import { createHash } from "node:crypto";
import type { KeptAnswers } from "../app/daemon/ports.ts";
import { ClewError } from "../contract/errors.ts";
import type { Answer } from "./answer.ts";

interface Asked {
  /** The header of a request that may be repeated. */
  key: string;
  /** All that must be the same when it is: who asks, what, with which body. */
  parts: string[];
}

const maxKeyChars = 255;

/** Does something once, however often it is asked with the same key; the answer to a repeated request is the first one. */
export async function answerOnce(
  kept: KeptAnswers,
  { key, parts }: Asked,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (key.length > maxKeyChars || !/^[\x21-\x7e]+$/.test(key))
    throw new ClewError("usage", "an Idempotency-Key has 1 to 255 plain characters", "a random UUID is a good one");
  const fingerprint = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const begun = await kept.begin(key, fingerprint);
  switch (begun.kind) {
    case "other":
      throw new ClewError("usage", "this Idempotency-Key was used for another request", "take a new key");
    case "unfinished": {
      const message = "a request with this Idempotency-Key was begun, and its outcome is not known";
      throw new ClewError("not_possible_now", message, "look at what it was to change, then ask with a new key");
    }
    case "answered": {
      const { status, type, text } = begun.answer;
      return { status, type, text, headers: { "idempotency-replayed": "true" } };
    }
    case "new": {
      const answer = await work();
      if (answer.status < 400) await kept.finish(key, fingerprint, answer);
      // What was refused changed nothing, and may be asked again. What broke on the way may have changed something.
      else if (answer.status < 500) await kept.forget(key);
      return answer;
    }
  }
}
