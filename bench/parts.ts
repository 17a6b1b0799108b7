/**
 * What the bench takes from the program's inside: it writes sessions with the program's own writer, and times its
 * parser, the check of grimoires, the rendering of spells and the host of runs.
 */
export { nodeDisk } from "../src/adapters/files/disk.ts";
export { sqliteHeldLocks } from "../src/adapters/files/held-lock.ts";
export { sqliteLocks } from "../src/adapters/files/lock.ts";
export { DbosHost } from "../src/adapters/journal-dbos/dbos-host.ts";
export { EmbeddedHost } from "../src/adapters/journal-file/embedded-host.ts";
export { runFolders } from "../src/adapters/journal-file/run-paths.ts";
export type { PinnedRun } from "../src/contract/run.ts";
export type { Handlers } from "../src/run/handlers.ts";
export { readGrimoire } from "../src/grimoire/definition/read-grimoire.ts";
export { Findings } from "../src/grimoire/preview/findings.ts";
export { previewSteps } from "../src/grimoire/preview/preview-steps.ts";
export { parseSpell, Spells } from "../src/grimoire/spell/spells.ts";
export { redactJson } from "../src/redact/redact-json.ts";
export { createRedactor } from "../src/redact/redactor.ts";
export { renderBlock } from "../src/session/frontmatter/frontmatter.ts";
export type { Item } from "../src/session/items.ts";
export { parseItems } from "../src/session/parse.ts";
export { renderItems } from "../src/session/render.ts";
