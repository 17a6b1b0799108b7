/** Inside a git hook these point at the hook's repository and index, which may be another one. */
const inherited = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_PREFIX",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_NAMESPACE",
  "GIT_SHALLOW_FILE",
  "GIT_LITERAL_PATHSPECS",
  "GIT_GLOB_PATHSPECS",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
];

/** An environment in which git sees the repository that it is called in, and nobody is asked anything. */
export function gitEnvironment(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const own = { ...env, GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":", GIT_MERGE_AUTOEDIT: "no" };
  return Object.fromEntries(Object.entries(own).filter(([name]) => !inherited.includes(name)));
}
