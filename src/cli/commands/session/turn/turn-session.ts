import type { CliContext } from "../../../context.ts";
import { resolveSessionName } from "../session-name.ts";

/** The session with turns that an argument or `-s` names; none is the one that was created last. */
export function turnSession(context: Pick<CliContext, "cwd">, name: string | undefined): { session?: string } {
  return name === undefined ? {} : { session: resolveSessionName(context, name) };
}

/** The same, where `CLEW_SESSION` goes before the one that was created last: for all but plan, execute and branch. */
export function turnSessionHere(
  context: Pick<CliContext, "cwd" | "env">,
  name: string | undefined,
): { session?: string } {
  return turnSession(context, name ?? (context.env["CLEW_SESSION"] || undefined));
}

/** The options of commands about turns. */
export interface TurnOptions {
  session?: string;
  json?: boolean;
}
