import type { Api } from "../../src/contract/api/api.ts";

type Resource = keyof Api;
export type OperationName = { [R in Resource]: `${R}.${keyof Api[R] & string}` }[Resource];

/** What each command asks for: with `--json`, every document that it prints is the response of one of these. */
export const commandOperations: Record<string, OperationName[]> = {
  init: ["repository.init", "connections.uninstall"],
  status: ["status.show"],
  "session start": ["sessions.start"],
  "session log": ["sessions.log", "sessions.logLines"],
  "session pause": ["sessions.pause"],
  "session end": ["sessions.end"],
  "session rename": ["sessions.rename"],
  "session archive": ["sessions.archive"],
  "session delete": ["sessions.delete"],
  "session list": ["sessions.list"],
  "session show": ["sessions.show", "sessions.text", "sessions.follow"],
  "session breadcrumbs": ["sessions.breadcrumbs"],
  "session breadcrumb add": ["sessions.addBreadcrumb"],
  "session agents": ["sessions.agents"],
  "session send": ["sessions.sendToAgent"],
  "session stop-agent": ["sessions.stopAgent"],
  "session stats": ["sessions.stats", "sessions.totals", "sessions.period"],
  "session tree": ["sessions.tree"],
  "session timeline": ["sessions.timeline"],
  "session export": ["sessions.export", "sessions.period"],
  "session learn": ["learn.cases", "learn.export"],
  "session codify": ["codify.extract", "codify.check", "codify.refine"],
  "session new": ["turns.create"],
  "session context": ["turns.context"],
  "session plan": ["turns.plan", "turns.makePlan", "turns.check"],
  "session branch": ["turns.branch", "turns.plan"],
  "session turns": ["turns.list"],
  "session execute": ["turns.answer", "turns.execute", "turns.executeApproved", "turns.preview"],
  "session undo": ["turns.undo"],
  "session diff": ["turns.diff", "turns.list"],
  "session verify": ["turns.verify"],
  "session resume": [
    "sessions.resume",
    "sessions.context",
    "sessions.show",
    "agents.resume",
    "beads.show",
    "work.drive",
  ],
  rehydrate: ["sessions.rehydrate"],
  "session import": ["imports.run", "imports.follow"],
  "session share": ["imports.share"],
  "session search": ["search.find"],
  inbox: ["inbox.list"],
  "inbox answer": ["inbox.answer", "runs.events", "runs.show"],
  search: ["search.find"],
  "bead create": ["beads.create"],
  "bead list": ["beads.list"],
  "bead ready": ["beads.ready"],
  "bead show": ["beads.show"],
  "bead update": ["beads.update"],
  "bead close": ["beads.close"],
  "bead reopen": ["beads.reopen"],
  "bead delete": ["beads.delete"],
  "bead dep add": ["beads.addDependency"],
  "bead dep remove": ["beads.removeDependency"],
  "bead dep tree": ["beads.graph"],
  "bead graph": ["beads.graph"],
  "bead import": ["beads.import"],
  "bead export": ["beads.export"],
  "grimoire list": ["grimoires.list"],
  "grimoire show": ["grimoires.show"],
  "grimoire validate": ["grimoires.validate"],
  "grimoire preview": ["grimoires.preview"],
  "grimoire convert": ["grimoires.convert"],
  "grimoire history": ["grimoires.history"],
  "grimoire schema": ["grimoires.schema"],
  run: ["runs.events", "runs.show"],
  "run list": ["runs.list"],
  "run show": ["runs.show"],
  "run log": ["runs.lines", "runs.events"],
  "run diff": ["runs.diff"],
  "run resume": ["runs.events", "runs.show"],
  "run retry": ["runs.events", "runs.show"],
  "run approve": ["runs.events", "runs.show"],
  "run reject": ["runs.events", "runs.show"],
  "run changes": ["runs.events", "runs.show"],
  "run cancel": ["runs.events", "runs.show"],
  "run agents": ["runs.agents"],
  "run send": ["runs.sendToAgent"],
  "run stop-agent": ["runs.stopAgent"],
  ai: ["agents.talk"],
  "ai sync": ["work.sync"],
  work: ["work.drive", "work.simulate"],
  "work task": ["work.drive", "work.simulate"],
  "work phase": ["work.drive", "work.simulate"],
  "work track": ["work.drive", "work.simulate"],
  "work issue": ["work.drive", "work.simulate"],
  "daemon start": ["daemon.start"],
  "daemon restart": ["daemon.stop", "daemon.start"],
  "daemon stop": ["daemon.stop"],
  "daemon status": ["daemon.status"],
  "daemon run": ["daemon.run", "scheduler.run"],
  "daemon install": ["daemon.install"],
  "daemon token": ["daemon.createToken"],
  "daemon token list": ["daemon.listTokens"],
  "daemon token revoke": ["daemon.revokeToken"],
  "worktree list": ["worktrees.list"],
  "worktree prune": ["worktrees.prune"],
  "worktree remove": ["worktrees.remove"],
  "engine list": ["engines.list"],
  "evidence list": ["evidence.list"],
  "evidence show": ["evidence.show"],
  "hooks install": ["hooks.install"],
  "hooks uninstall": ["hooks.uninstall"],
  "hooks status": ["hooks.status"],
  "mcp install": ["connections.install"],
  "mcp uninstall": ["connections.uninstall"],
  "mcp status": ["connections.status"],
  "policy test": ["policies.test"],
  "policy list": ["policies.list"],
  trust: ["policies.trust"],
  "engine doctor": ["engines.examine"],
  "spell list": ["spells.list"],
  "spell render": ["spells.render"],
  "index rebuild": ["sessions.rebuildIndex"],
  "index check": ["sessions.checkIndex"],
  doctor: ["doctor.examine"],
  "config show": ["config.show"],
  "config set": ["config.set"],
};

const whileDriving: OperationName[] = [
  "beads.list",
  "beads.ready",
  "inbox.answer",
  "repository.show",
  "runs.drive",
  "runs.lines",
  "worktrees.list",
];
const steering: OperationName[] = ["agents.send", "agents.answer", "agents.stop"];
const aboutStatus: OperationName[] = ["beads.find", "beads.runAgainst"];

/** What commands ask for beside that, to find what is named, to confirm, to tell a person more. */
const alsoAsked: Record<string, OperationName[]> = {
  "session execute": ["turns.execute", "turns.answer"],
  init: ["connections.install"],
  status: ["repository.show", "daemon.status"],
  "session log": ["sessions.find", "sessions.pause"],
  "session delete": ["sessions.find"],
  "session show": ["sessions.read"],
  "session stats": ["sessions.tree"],
  "session resume": steering,
  "session codify": ["sessions.find", "grimoires.list"],
  "grimoire convert": ["grimoires.list"],
  "session export": ["sessions.render", "sessions.renderPeriod"],
  "inbox answer": whileDriving,
  search: ["repository.show"],
  "session search": ["repository.show"],
  "bead update": aboutStatus,
  "bead close": aboutStatus,
  "bead reopen": aboutStatus,
  "bead delete": ["beads.find", "beads.dependants"],
  "bead import": ["beads.runAgainst", "beads.statusesAfterImport"],
  run: [...whileDriving, "runs.start", "runs.find", "runs.changedSince"],
  "run show": ["repository.show", "worktrees.list"],
  "run log": ["runs.show"],
  "run diff": ["runs.show"],
  "run resume": [...whileDriving, "runs.find", "runs.changedSince"],
  "run retry": [...whileDriving, "runs.find", "runs.changedSince", "runs.retry"],
  "run approve": [...whileDriving, "runs.approve"],
  "run reject": [...whileDriving, "runs.reject"],
  "run changes": [...whileDriving, "runs.requestChanges"],
  "run cancel": [...whileDriving, "runs.cancel"],
  ai: steering,
  work: [...steering, "beads.show"],
  "work task": steering,
  "work phase": steering,
  "work track": steering,
  "work issue": steering,
  "daemon start": ["status.show", "config.show"],
  "daemon restart": ["daemon.status"],
  "daemon stop": ["daemon.status"],
  "worktree list": ["repository.show"],
  "worktree prune": ["repository.show"],
  "worktree remove": ["repository.show"],
  "config show": ["repository.show"],
};

/** All that a command may ask for. */
export function operationsOf(command: string): OperationName[] {
  return [...commandOperations[command]!, ...(alsoAsked[command] ?? [])];
}

/** Commands that print no answer of the program behind them. */
export const localCommands: readonly string[] = ["version", "demo", "hook", "mcp", "completion", "complete", "help"];

/** Prints the lines of a file as they stand there. */
export const rawCommands: readonly string[] = ["bead export"];

/** The command that a command line calls: its longest beginning that is one. */
export function commandIn(words: readonly string[]): string | undefined {
  const named = words
    .filter((word) => word !== "--no-pager" && word !== "--json")
    .map((word) => (word === "wsession" ? "session" : word));
  for (const length of [3, 2, 1]) {
    const command = named.slice(0, length).join(" ");
    if (Object.hasOwn(commandOperations, command)) return command;
  }
  return undefined;
}
