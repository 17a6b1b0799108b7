import { readRegular } from "../files/regular-file.ts";
import { isMissing } from "../files/failure.ts";
import { limits } from "../files/limits.ts";
import { rootPaths } from "../layout.ts";
import { userSettings, type Env } from "../layout/user-paths.ts";

/**
 * Whether there may be a policy: two files are looked at, and nothing is read as YAML. What cannot be read, as a pipe, or is too long, may
 * have one. Outside a repository, and where Clew was never set up, the user's own file counts alone.
 */
export function mayHavePolicy(root: string | undefined, env: Env): boolean {
  const files = [userSettings(env), ...(root === undefined ? [] : [rootPaths.settings(root)])];
  return files.some((file) => {
    try {
      return readRegular(file, limits.settings).includes("policy");
    } catch (error) {
      return !isMissing(error);
    }
  });
}
