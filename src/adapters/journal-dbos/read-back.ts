import { assumeRedacted, type Redacted } from "../../contract/redacted.ts";

/** What a host kept in the database as JSON text: a host keeps what was redacted. */
export function readBack<T>(text: string): Redacted<T> {
  return assumeRedacted(JSON.parse(text) as T);
}
