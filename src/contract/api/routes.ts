import type { operations } from "./table.ts";
import type { Operation } from "./operation.ts";

type Table = typeof operations;
type NamesOf<Resource extends keyof Table> = {
  [Name in keyof Table[Resource]]: Table[Resource][Name] extends Operation & { where: "either" }
    ? `${Resource}.${Name & string}`
    : never;
}[keyof Table[Resource]];

/** The operations that need no process of the caller's own: `runs.list`. */
export type RemoteOperation = { [Resource in keyof Table]: NamesOf<Resource> }[keyof Table];

const routeMethods = ["GET", "POST", "DELETE"] as const;
type Route = `${(typeof routeMethods)[number]} /${string}`;

/**
 * Where each operation stands in the REST API. `{name}` is a field of its request; the other fields are query parameters of
 * GET and DELETE, and the JSON body of POST.
 */
export const routes = {
  "daemon.status": "GET /daemon",
  "repository.show": "GET /repository",
  "status.show": "GET /status",
  "config.show": "GET /config",

  "runs.list": "GET /workflows",
  "runs.show": "GET /workflows/{run}",
  "runs.find": "GET /workflows/{run}/id",
  "runs.lines": "GET /workflows/{run}/log",
  "runs.diff": "GET /workflows/{run}/diff",
  "runs.cancel": "POST /workflows/{run}/cancel",
  "runs.retry": "POST /workflows/{run}/retry",
  "runs.approve": "POST /workflows/{run}/approve-merge",
  "runs.reject": "POST /workflows/{run}/reject-merge",
  "runs.requestChanges": "POST /workflows/{run}/request-changes",
  "runs.agents": "GET /agents",
  "runs.sendToAgent": "POST /workflows/{run}/agent/send",
  "runs.stopAgent": "POST /workflows/{run}/agent/stop",
  "runs.events": "GET /events",

  "inbox.list": "GET /inbox",
  "inbox.answer": "POST /inbox/{id}/answer",

  "sessions.list": "GET /sessions",
  "sessions.start": "POST /sessions",
  "sessions.names": "GET /sessions/names",
  "sessions.tree": "GET /sessions/tree",
  "sessions.agents": "GET /sessions/agents",
  "sessions.totals": "GET /stats",
  "sessions.period": "GET /stats/period",
  "sessions.renderPeriod": "GET /stats/period/{format}",
  "sessions.export": "GET /export",
  "sessions.render": "GET /export/{format}",
  "sessions.show": "GET /sessions/{session}",
  "sessions.delete": "DELETE /sessions/{session}",
  "sessions.find": "GET /sessions/{session}/id",
  "sessions.read": "GET /sessions/{session}/embeds",
  "sessions.text": "GET /sessions/{session}/text",
  "sessions.stats": "GET /sessions/{session}/stats",
  "sessions.timeline": "GET /sessions/{session}/timeline",
  "sessions.breadcrumbs": "GET /sessions/{session}/breadcrumbs",
  "sessions.context": "GET /sessions/{session}/context",
  "sessions.follow": "GET /sessions/{session}/events",
  "sessions.log": "POST /sessions/{session}/entries",
  "sessions.pause": "POST /sessions/{session}/pause",
  "sessions.resume": "POST /sessions/{session}/resume",
  "sessions.end": "POST /sessions/{session}/end",
  "sessions.rename": "POST /sessions/{session}/rename",
  "sessions.archive": "POST /sessions/{session}/archive",
  "sessions.sendToAgent": "POST /sessions/{session}/agent/send",
  "sessions.stopAgent": "POST /sessions/{session}/agent/stop",
  "sessions.addBreadcrumb": "POST /breadcrumbs",
  "sessions.checkIndex": "POST /index/check",
  "sessions.rebuildIndex": "POST /index/rebuild",

  "turns.create": "POST /turns",
  "turns.check": "POST /plans/check",
  "turns.makePlan": "POST /sessions/{session}/plans",
  "turns.list": "GET /sessions/{session}/turns",
  "turns.context": "GET /sessions/{session}/turns/context",
  "turns.verify": "GET /turns/verification",
  "turns.preview": "GET /sessions/{session}/turns/{turn}/preview",
  "turns.diff": "GET /sessions/{session}/turns/{a}/diff",
  "turns.executeApproved": "POST /sessions/{session}/turns/{turn}/execute",
  "turns.undo": "POST /sessions/{session}/turns/{turn}/undo",
  "turns.branch": "POST /sessions/{session}/turns/{turn}/branch",

  "codify.extract": "GET /codify",
  "codify.check": "POST /codify/check",

  "imports.share": "POST /imports/share",
  "search.find": "GET /search",
  "learn.cases": "GET /cases",
  "work.sync": "POST /work/{cookie}/sync",

  "beads.list": "GET /beads",
  "beads.create": "POST /beads",
  "beads.ready": "GET /beads/ready",
  "beads.graph": "GET /beads/graph",
  "beads.export": "GET /beads/export",
  "beads.show": "GET /beads/{bead}",
  "beads.delete": "DELETE /beads/{bead}",
  "beads.find": "GET /beads/{bead}/id",
  "beads.dependants": "GET /beads/{bead}/dependants",
  "beads.runAgainst": "GET /beads/{bead}/run-against",
  "beads.update": "POST /beads/{bead}",
  "beads.close": "POST /beads/{bead}/close",
  "beads.reopen": "POST /beads/{bead}/reopen",
  "beads.addDependency": "POST /beads/{child}/dependencies",
  "beads.removeDependency": "DELETE /beads/{child}/dependencies/{parent}",

  "grimoires.list": "GET /grimoires",
  "grimoires.schema": "GET /grimoires/schema",
  "grimoires.validate": "GET /grimoires/problems",
  "grimoires.preview": "POST /grimoires/preview",
  "grimoires.show": "GET /grimoires/{grimoire}",
  "grimoires.convert": "GET /grimoires/{grimoire}/converted",

  "worktrees.list": "GET /worktrees",
  "worktrees.prune": "POST /worktrees/prune",
  "worktrees.remove": "POST /worktrees/remove",

  "evidence.list": "GET /evidence",
  "evidence.show": "GET /evidence/{evidence}",

  "engines.list": "GET /engines",
  "engines.examine": "GET /engines/problems",
} as const satisfies Record<RemoteOperation, Route>;
