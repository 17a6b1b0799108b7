/** Inside a git hook these point at the hook's repository and index, which may be another one. */
const repositoryVariables = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_PREFIX",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_NAMESPACE",
  "GIT_GRAFT_FILE",
  "GIT_SHALLOW_FILE",
  "GIT_LITERAL_PATHSPECS",
  "GIT_GLOB_PATHSPECS",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
];

/**
 * Removes what names a repository from an environment: Clew works in the repository around its folder, and so does all that
 * it starts. A step's `git add` must never reach another index.
 */
export function removeRepositoryVariables(env: Record<string, string | undefined>): void {
  for (const name of repositoryVariables) delete env[name];
}

/** An environment in which git asks the user nothing. */
export function gitEnvironment(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return { ...env, GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":", GIT_MERGE_AUTOEDIT: "no" };
}

/** Programs that git would start while it answers: the repository's settings name them, and a step may have set them. */
const programs = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false", "diff.external="];

/** Arguments that keep git from starting them. */
export const withoutPrograms = programs.flatMap((setting) => ["-c", setting]);
