/** What a case is made of: a failure, or words with which a person put an agent right. */
export const caseTypes = ["puzzle", "correction"] as const;
export type CaseType = (typeof caseTypes)[number];

/** Forms in which cases and sessions are written for people, tuning and evaluation. */
export const learnFormats = ["jsonl", "markdown", "puzzle", "harbor", "atif"] as const;
export type LearnFormat = (typeof learnFormats)[number];

/** What shows the expected behaviour of a case. */
export const caseBases = [
  "passing_run", // the call that failed passed later
  "resolution", // the error says how it was resolved
  "user_words", // what the user said next
  "action", // what was done at the user's words
  "next_entries", // what the agent did after the user's words
] as const;
export type CaseBasis = (typeof caseBases)[number];

/** Why something is no case, or no part of an export. */
export const exclusionReasons = [
  "filtered", // of another agent, model, engine, outcome, time or tag than what was asked for
  "environment", // the machine or the network, and nothing that the agent did
  "transient", // a time-out, a rate limit, or the very same call that passed without any change
  "duplicate", // the same failure in other words
  "interrupted", // a person stopped the call
  "approval", // the user agreed
  "new_task", // the user asked for something else, and corrected nothing
  "open", // nothing in the session shows what would have been right
  "no_command", // no command of a shell failed and passed, or not all of it is known
  "outside_folder", // its command works in folders of this machine that a task does not have
  "redacted", // its command held a secret
  "secret_in_files", // the files of its commits hold what looks like a secret
  "too_large", // a file of its commits is too large, or all tasks together are
  "no_commit", // the commit on which it failed is not known
  "no_fix", // no later commit of the session is known
  "not_checked_out", // git no longer has the commit
  "archive_differs", // the repository's attributes give archives other files than the commit has, or other bytes
  "check_failed", // the task does not fail without the solution, or not pass with it
  "other_session_holds_it", // a subagent's session stands inside that of its agent
  "empty", // a session without entries
  "unreadable", // a session that cannot be read
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];
