import { resolve } from "node:path";
import type { CliContext, JsonOption } from "../../context.ts";

/** The session that an argument, `-s` or CLEW_SESSION names; undefined for the one that is active. */
export function sessionOption(
  context: Pick<CliContext, "env" | "cwd">,
  argument?: string,
  flag?: string,
): string | undefined {
  const name = argument ?? flag ?? (context.env["CLEW_SESSION"] || undefined);
  return name === undefined ? undefined : resolveSessionName(context, name);
}

/** The options of commands about one session. */
export interface SessionOptions extends JsonOption {
  session?: string;
}

/** A session as a person names it. A path is resolved here, because only this process knows the working folder. */
export function resolveSessionName({ cwd }: Pick<CliContext, "cwd">, name: string): string {
  return /[/]|\.md$|^\.{1,2}$/.test(name) ? resolve(cwd, name) : name;
}
