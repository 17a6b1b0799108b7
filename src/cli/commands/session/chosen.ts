import type { App } from "../../../app/app.ts";
import type { CliContext } from "../../context.ts";

/** The session a command is about: named on the command line, by `-s`, by CLEW_SESSION, else the one that is active. */
export async function chosenSession(context: CliContext, app: App, ...names: (string | undefined)[]): Promise<string> {
  const name = names.find((each) => each !== undefined) ?? (context.env["CLEW_SESSION"] || undefined);
  return name === undefined ? app.finder.active() : app.finder.find(name);
}
