import { resolve } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { CliContext } from "../context.ts";
import { cleanLine } from "../terminal/clean.ts";

/** Throws when a file among the repository's grimoires would bear a name that another one has: then neither is found by it. */
export async function refuseTakenName({ api, cwd }: CliContext, file: string, name: string): Promise<void> {
  if (!/\/\.clew\/grimoires\/[^/]+\.(?:ya?ml|md)$/.test(resolve(cwd, file))) return;
  const { grimoires } = await api.grimoires.list({});
  const other = grimoires.find((each) => each.name === name && each.origin === "repository");
  if (!other) return;
  throw new ClewError(
    "invalid_input",
    `${cleanLine(other.file)} is called ${cleanLine(name)} already, and two grimoires of one name are not found by it`,
    "write to another folder, or remove that one first",
  );
}
