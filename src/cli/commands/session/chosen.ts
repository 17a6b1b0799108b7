import { resolve } from "node:path";
import type { CliContext } from "../../context.ts";

/**
 * The session a command is about: named on the command line, by `-s`, by CLEW_SESSION; undefined for the one that is active.
 */
export function chosenSession(context: CliContext, ...names: (string | undefined)[]): string | undefined {
  const name = names.find((each) => each !== undefined) ?? (context.env["CLEW_SESSION"] || undefined);
  return name === undefined ? undefined : sessionName(context, name);
}

/** A session as a person names it. A path is meant from the working folder, which only this process knows. */
export function sessionName({ cwd }: CliContext, name: string): string {
  return /[/]|\.md$|^\.{1,2}$/.test(name) ? resolve(cwd, name) : name;
}
