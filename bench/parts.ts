/**
 * What the bench takes from the program's inside: it writes sessions with the program's own writer, and times its
 * parser, the check of grimoires, the rendering of spells, the host of runs, the claims of beads, worktrees and merges, and the streams of engines.
 */
export { engineAgents } from "../src/adapters/engines/run-agent.ts";
export { scriptedEngine } from "../src/adapters/engines/scripted/engine.ts";
export { transcriptFiles } from "../src/adapters/engines/transcript-files.ts";
export { nodeDisk } from "../src/adapters/files/node-disk.ts";
export { sqliteHeldLocks } from "../src/adapters/files/held-lock.ts";
export { sqliteLocks } from "../src/adapters/files/lock.ts";
export { gitAt } from "../src/adapters/git/git.ts";
export { gitCalls } from "../src/adapters/git/git-calls.ts";
export type { GitCalls } from "../src/adapters/git/git-calls.ts";
export { landMerge } from "../src/adapters/git/merge/landing/land-merge.ts";
export { prepareMerge } from "../src/adapters/git/merge/offer/prepare-offer.ts";
export { makeWorktree } from "../src/adapters/git/worktrees/make-worktree.ts";
export { removeWorktree } from "../src/adapters/git/worktrees/remove-worktree.ts";
export { DbosHost } from "../src/adapters/journal-dbos/dbos-host.ts";
export { claimFiles } from "../src/adapters/journal-file/claim-files.ts";
export { EmbeddedHost } from "../src/adapters/journal-file/embedded-host.ts";
export { runFolders } from "../src/adapters/layout/run-paths.ts";
export { systemProcesses } from "../src/adapters/shell/processes.ts";
export { bootName } from "../src/adapters/system/system.ts";
export { RunBeads } from "../src/app/run/bead-of-run.ts";
export { assumeRedacted } from "../src/contract/redacted.ts";
export type { PinnedRun } from "../src/contract/pinned-run.ts";
export type { Handlers } from "../src/run/handlers.ts";
export { claudeConversation } from "../src/engine/claude/conversation.ts";
export { createLines } from "../src/engine/line-splitter.ts";
export { readGrimoire } from "../src/grimoire/definition/read-grimoire.ts";
export { Findings } from "../src/grimoire/preview/findings.ts";
export { previewSteps } from "../src/grimoire/preview/preview-steps.ts";
export { parseSpell, Spells } from "../src/grimoire/spell/spells.ts";
export { openBeads } from "../src/main/wire-beads.ts";
export { withWorktreesLock } from "../src/adapters/git/locks-of-git.ts";
export { redactValue } from "../src/redact/redact-value.ts";
export { createRedactor } from "../src/redact/redactor.ts";
export { renderBlock } from "../src/session/frontmatter/frontmatter.ts";
export type { Item } from "../src/session/items.ts";
export { parseItems } from "../src/session/parse.ts";
export { renderItems } from "../src/session/render.ts";
export { encodeResult } from "../src/session/results.ts";
export { cutToolEntry } from "../src/session/tool-call.ts";
