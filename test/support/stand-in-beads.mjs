// Stands in for `bd` and `br` in tests: a program that keeps beads in a file of its own and answers in the shapes that are
// documented for them. `behaviour.json` beside its beads says in which, and how it goes wrong. Like the real ones, it takes
// no flag that it does not know.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [name = "", ...args] = process.argv.slice(2);
const folder = process.env["BEADS_DIR"] ?? fail(1, "no BEADS_DIR");
const stateFile = join(folder, name === "bd" ? "embeddeddolt/state.json" : "beads.db");
const behaviour = { envelope: "bare", errors: "stderr", ...read(join(folder, "behaviour.json"), {}) };
pause();
holdLock();
const beads = read(stateFile, {});

const end = args.indexOf("--");
const words = end < 0 ? [] : args.slice(end + 1);
const flags = (end < 0 ? args : args.slice(0, end)).filter((each) => each.startsWith("--"));
const command = (end < 0 ? args : args.slice(0, end)).filter((each) => !each.startsWith("-")).join(" ");
const stdin = flags.some((flag) => flag.endsWith("=-")) ? readFileSync(0, "utf8") : "";
const { CI, BD_NON_INTERACTIVE, RUST_LOG } = process.env;
const call = { name, args, stdin, cwd: process.cwd(), env: { CI, BD_NON_INTERACTIVE, RUST_LOG } };
appendFileSync(join(folder, "calls.jsonl"), `${JSON.stringify(call)}\n`);

const fields = {
  title: "title",
  description: "description",
  design: "design",
  acceptance: "acceptance_criteria",
  notes: "notes",
  priority: "priority",
  type: "issue_type",
  assignee: "assignee",
  estimate: "estimated_minutes",
  "external-ref": "external_ref",
  due: "due_at",
  defer: "defer_until",
  status: "status",
};
const own = Object.keys(fields);
const reads = { list: ["all", "limit"], show: [], version: [], where: [] };
const writes = {
  create: [...own, "labels", "parent", "deps", ...(name === "bd" ? ["body-file"] : [])],
  update: [...own, "add-label", "remove-label", "claim", ...(name === "bd" ? ["body-file"] : [])],
  close: ["reason", ...(name === "bd" ? ["reason-file"] : [])],
  reopen: [],
  "dep add": ["type"],
  "dep remove": [],
};
const known = { ...reads, ...writes }[command] ?? fail(1, `unknown command ${command}`);
const global = ["json", "actor", ...(name === "bd" ? ["readonly"] : [])];
for (const flag of flags) {
  const word = flag.slice(2).split("=")[0] ?? "";
  if (![...global, ...known].includes(word)) fail(1, `unknown flag: --${word}`);
}
if (has("readonly") && command in writes) fail(1, "read-only mode");
for (const word of words) if (word === "") fail(1, "an empty id");

const fault = behaviour.faults?.[command];
if (fault === "freeze") fail(14, "MIGRATION-FREEZE");
if (fault === "fail") fail(1, "the database is locked");
if (fault === "no database") fail(1, "database not found");
if (fault === "server") leaveServer();
if (fault === "garbage") print("all fine");
if (fault === "half") print('[{"id":"bd-1","title":"On');
if (fault === "hang") await new Promise((done) => setTimeout(done, 300_000));

const now = new Date().toISOString();
const actor = value("actor") ?? "someone";
if (command === "version") answer({ version: behaviour.version ?? "1.2.2" });
if (command === "where") answer({ path: behaviour.where ?? folder });
if (command === "list") answer([...Object.values(beads), ...(fault === "odd" ? [null, 7] : [])]);
if (command === "show") answer(words.map((id) => shown(found(id))));
if (command === "create") {
  const id = `${name}-${Object.keys(beads).length + 1}`;
  const bead = (beads[id] = {
    id,
    status: "open",
    priority: 2,
    issue_type: "task",
    created_at: now,
    unheard_of: { of: 1 },
  });
  apply(bead);
  const labels = value("labels");
  if (labels !== undefined) bead.labels = labels.split(",");
  const parent = value("parent");
  const edges = [...(value("deps")?.split(",") ?? []), ...(parent === undefined ? [] : [`parent-child:${parent}`])];
  bead.dependencies = edges.map((edge) => {
    const [type = "", ...target] = edge.split(":");
    // To bd, `blocks` is what the new one does to the other.
    if (name === "bd" && type === "blocks") fail(1, "this would be the other way round");
    return { issue_id: id, depends_on_id: target.join(":"), type: type === "blocked-by" ? "blocks" : type };
  });
  save(bead);
}
const bead = found(words[0]);
if (command === "update") {
  if (has("claim")) {
    if (fault === "lost") Object.assign(bead, { assignee: "another", status: "in_progress" });
    else if (bead.assignee && bead.assignee !== actor) fail(1, `already claimed by ${bead.assignee}`);
    else Object.assign(bead, { assignee: actor, status: "in_progress" });
  }
  apply(bead);
  const labels = [...(bead.labels ?? []), ...values("add-label")].filter(
    (each) => !values("remove-label").includes(each),
  );
  bead.labels = labels;
  save([bead]);
}
if (command === "close") {
  const reason = has("reason-file") ? stdin : value("reason");
  save([Object.assign(bead, { status: "closed", closed_at: now, close_reason: reason ?? "Closed" })]);
}
if (command === "reopen") {
  if (bead.status !== "closed") fail(1, `${bead.id} is not closed`);
  delete bead.closed_at;
  delete bead.close_reason;
  save([Object.assign(bead, { status: "open", updated_at: now })]);
}
const [from = "", to = ""] = words;
if (command === "dep add") {
  found(to);
  bead.dependencies.push({ issue_id: from, depends_on_id: to, type: value("type") ?? "blocks" });
  save({ status: "added", issue_id: from, depends_on_id: to, type: value("type") });
}
bead.dependencies = bead.dependencies.filter((each) => each.depends_on_id !== to);
save({ status: "removed", issue_id: from, depends_on_id: to });

function apply(target) {
  for (const [flag, field] of Object.entries(fields)) {
    const given = value(flag);
    if (given === "") delete target[field];
    else if (given !== undefined) target[field] = ["priority", "estimate"].includes(flag) ? Number(given) : given;
  }
  if (has("body-file")) target.description = stdin;
  target.updated_at = now;
}

/** By its id, by what stands behind the prefix, or by the beginning of either, as the real ones do. */
function found(id) {
  const ids = Object.keys(beads);
  const short = (each) => each.slice(each.lastIndexOf("-") + 1);
  const meant =
    ids.find((each) => each === id) ??
    ids.find((each) => short(each) === id) ??
    ids.find((each) => each.startsWith(id) || short(each).startsWith(id));
  return meant === undefined ? fail(name === "br" ? 3 : 1, `issue not found: ${id}`) : beads[meant];
}

/** Whole beads where the list has edges. */
function shown(each) {
  const dependencies = each.dependencies?.map(({ depends_on_id: id, type }) => ({
    ...beads[id],
    id,
    dependency_type: type,
  }));
  return name === "bd" ? { ...each, dependencies } : each;
}

function save(printed) {
  if (behaviour.idle !== true) replace(stateFile, JSON.stringify(beads));
  if (name === "br")
    replace(
      join(folder, "issues.jsonl"),
      Object.values(beads)
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(""),
    );
  pause();
  if (fault === "kill") process.kill(process.ppid, "SIGKILL");
  answer(printed);
}

/** Others see the whole of it or nothing. */
function replace(file, text) {
  writeFileSync(`${file}.${process.pid}.aside`, text);
  renameSync(`${file}.${process.pid}.aside`, file);
}

/** One at a time, as the real ones; a process that died with it does not hold it. */
function holdLock() {
  const file = join(folder, ".stand-in.lock");
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      process.on("exit", () => rmSync(file, { force: true }));
      return;
    } catch {
      const holder = holderOf(file);
      if (holder > 0 && !existsSync(`/proc/${holder}`)) rmSync(file, { force: true });
      wait(10);
    }
  }
}

/** 0 when it has just been let go, or is being taken. */
function holderOf(file) {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
}

function pause() {
  if (behaviour.delayMs > 0) wait(behaviour.delayMs / 2);
}

function wait(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A server that it starts for itself, which holds its pipes for as long as it lives. */
function leaveServer() {
  const server = spawn("sleep", ["300"], { detached: true, stdio: "inherit" });
  appendFileSync(join(folder, "servers"), `${server.pid}\n`);
}

function answer(given) {
  const isList = command === "list" && name === "br";
  const items = Array.isArray(given) ? given : [given];
  const wrapped = {
    bare: isList ? { issues: items } : Array.isArray(given) ? given : { ...given, schema_version: 1 },
    data: { schema_version: 1, data: given },
    items: { schema_version: 1, items },
    issues: { issues: items },
    pretty: given,
  };
  print(JSON.stringify(wrapped[behaviour.envelope], null, behaviour.envelope === "pretty" ? 2 : 0));
}

function print(text) {
  process.stdout.write(`${text}\n`);
  process.exit(0);
}

function fail(code, message) {
  const document = JSON.stringify({ error: name === "br" ? { code: "E", message, hint: "br's hint" } : message });
  if (behaviour?.errors === "plain") process.stderr.write(`Error: ${message}\n`);
  else if (behaviour?.errors === "stdout") process.stdout.write(`${document}\n`);
  else process.stderr.write(`warning: something else\n${document}\n`);
  process.exit(code);
}

function has(flag) {
  return flags.some((each) => each === `--${flag}` || each.startsWith(`--${flag}=`));
}

function values(flag) {
  return flags.filter((each) => each.startsWith(`--${flag}=`)).map((each) => each.slice(flag.length + 3));
}

function value(flag) {
  return values(flag)[0];
}

function read(file, fallback) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8") || "{}") : fallback;
}
