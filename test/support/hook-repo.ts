import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { HookLine } from "../../src/contract/hook.ts";
import type { Outcome } from "./repo.ts";
import { ImportRepo } from "./transcripts.ts";

const fixtures = resolve(import.meta.dirname, "../fixtures/hooks");

export type Payload = Record<string, unknown> & { session_id: string; hook_event_name: string };

/** A repository in which engines call `clew hook`. */
export class HookRepo extends ImportRepo {
  /** What a real engine sent, as if it had worked in this repository. */
  payloads(name: string): Payload[] {
    const text = readFileSync(join(fixtures, `${name}.jsonl`), "utf8").trimEnd();
    return text
      .replaceAll('"/repo', `"${this.root}`)
      .split("\n")
      .map((line) => JSON.parse(line) as Payload);
  }

  /** Calls the hook as an engine does. */
  hook(payload: object | string, words: string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
    const input = typeof payload === "string" ? payload : JSON.stringify(payload);
    const event = (payload as Partial<Payload>).hook_event_name ?? "";
    return this.run(["hook", ...(words.length > 0 ? words : [event])], { input, env });
  }

  /** Calls it for each; all must be taken without a word. */
  async hooks(payloads: object[], words: string[] = []): Promise<void> {
    for (const payload of payloads) {
      const outcome = await this.hook(payload, words);
      if (outcome.code !== 0 || outcome.stdout + outcome.stderr !== "")
        throw new Error(`the hook answered ${JSON.stringify(outcome)}`);
    }
  }

  /** What was kept of an engine session. */
  spool(engine: string, session: string): HookLine[] {
    return linesOf(join(this.root, ".git/clew/hooks/spool", `${engine}.${session}.jsonl`));
  }
}

export function linesOf<T>(path: string): T[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
