import type { PermissionEvent, PermissionOption } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import { AskedCalls } from "./asked-calls.ts";

/** The permissions that an agent waits for, with what may be answered and the calls that they are about. */
export class OpenPermissions {
  readonly #options = new Map<string, PermissionOption[]>();
  readonly #calls = new AskedCalls();

  /** The call as its engine tells it, before anything of it is redacted. */
  keepCall(event: PermissionEvent): void {
    this.#calls.keep(event.id, event);
  }

  take({ id, options, withdrawn }: PermissionEvent): void {
    if (withdrawn) this.close(id);
    else this.#options.set(id, options);
  }

  /** It was answered, or its engine asks no more. */
  close(id: string): void {
    this.#options.delete(id);
    this.#calls.forget(id);
  }

  refuseUnlessOpen(id: string, optionId: string): void {
    const options = this.#options.get(id);
    if (!options) {
      const hint = "it was answered before, or never asked for";
      throw new ClewError("not_possible_now", `the agent does not wait for the permission ${id}`, hint);
    }
    const optionIds = options.map((option) => option.id);
    if (optionIds.includes(optionId)) return;
    throw new ClewError("invalid_input", `a permission has no option ${optionId}`, `one of: ${optionIds.join(", ")}`);
  }

  fingerprint(id: string): string | undefined {
    return this.#calls.fingerprint(id);
  }

  isCall(id: string, fingerprint: string): boolean {
    return this.#calls.isCall(id, fingerprint);
  }
}
