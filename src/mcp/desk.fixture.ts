import * as z from "zod/mini";
import type { ResultDesk } from "../app/engine/result-tool.ts";
import { agentResult } from "../contract/engine.ts";
import type { Json } from "../contract/json.ts";

/** A desk that checks results as steps do, and keeps what it took. */
export class KeepingDesk implements ResultDesk {
  readonly schema = {
    type: "object",
    properties: { success: { type: "boolean" }, summary: { type: "string" }, outputs: { type: "object" } },
    required: ["success", "summary"],
  };
  readonly results: Json[] = [];

  async check(value: Json): Promise<string | undefined> {
    const parsed = z.safeParse(agentResult, value);
    return parsed.success ? undefined : `the result ${parsed.error.issues[0]!.message}`;
  }

  onResult(value: Json): void {
    this.results.push(value);
  }
}
