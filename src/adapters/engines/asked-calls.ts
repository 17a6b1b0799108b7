import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import type { PermissionEvent } from "../../contract/engine.ts";

type AskedCall = Pick<PermissionEvent, "tool" | "input">;

const hashBytes = 16;

/**
 * The calls that an agent asks for, as its engine tells them: not redacted, and in memory alone. What is kept elsewhere may be cut or
 * redacted, so that a call is known again by its fingerprint: a slow hash with a salt of its own, which does not tell what it is of.
 */
export class AskedCalls {
  readonly #calls = new Map<string, string>();

  keep(id: string, { tool, input }: AskedCall): void {
    this.#calls.set(id, JSON.stringify([tool, input]));
  }

  forget(id: string): void {
    this.#calls.delete(id);
  }

  /** Undefined for what is not asked any more. */
  fingerprint(id: string): string | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    const salt = randomBytes(hashBytes);
    return words(Buffer.concat([salt, hashOf(call, salt)]));
  }

  /** Whether this is the very call that a fingerprint was taken of. Never throws. */
  isCall(id: string, fingerprint: string): boolean {
    const call = this.#calls.get(id);
    const bytes = Buffer.from(fingerprint.replaceAll(" ", ""), "hex");
    if (call === undefined || bytes.length !== 2 * hashBytes) return false;
    return timingSafeEqual(bytes.subarray(hashBytes), hashOf(call, bytes.subarray(0, hashBytes)));
  }
}

function hashOf(call: string, salt: Buffer): Buffer {
  return scryptSync(call, salt, hashBytes);
}

/** In short words: a redactor may take a long one for a secret. */
function words(bytes: Buffer): string {
  return bytes.toString("hex").replaceAll(/.{8}(?=.)/g, "$& ");
}
