import { assumeRedacted, type Redacted } from "../../contract/redacted.ts";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionRow } from "../../contract/session-row.ts";
import { IndexDamaged } from "../../session/index/damaged.ts";
import { type FileOps, nodeFiles } from "./file-ops.ts";
import { filesIn, inFolders } from "./harm.fixture.ts";
import { rebuild } from "./model.fixture.ts";
import { ToonSessionIndex } from "./toon-session-index.ts";

const row = (session_id: string, more: Partial<SessionRow> = {}): SessionRow => ({
  session_id,
  title: "Fix the login",
  status: "completed",
  started: "2026-01-05T10:00:00Z",
  ended: "2026-01-05T10:00:01Z",
  channel: "dev",
  channels: ["dev"],
  participants: ["coder@1.0"],
  model: null,
  tokens_used: 10,
  used: [{ agent: "coder@1.0", channel: "dev", engine: "claude", bead: "proj-1", tokens: 10, cost_micro_usd: null }],
  cost_usd: null,
  phases: 1,
  errors: 0,
  kind: "work",
  engines: ["claude"],
  parent: null,
  bead: "proj-1",
  branch: "main",
  merged: false,
  archived: false,
  check: "0a0b0c0d",
  ...more,
});
const manyRows = (count: number): SessionRow[] =>
  Array.from({ length: count }, (_, n) => `2026-01-${String((n % 28) + 1).padStart(2, "0")}`).map((day, n) =>
    row(`${day}-session-${n}`, { started: `${day}T10:00:00Z`, ended: `${day}T10:00:01Z` }),
  );
const asSessions = (rows: SessionRow[]): Redacted<{ row: SessionRow; inbox: [] }>[] =>
  rows.map((each) => assumeRedacted({ row: each, inbox: [] }));

test("S11 the index is the same whatever was expected to be in it, and in whatever order it came", () => {
  inFolders((newFolder) => {
    const rows = manyRows(40);
    const sessions = asSessions(rows);
    const ids = rows.map(({ session_id }) => session_id);
    const made = (order: typeof sessions, expected: string[]): unknown => {
      const folder = newFolder();
      rebuild(new ToonSessionIndex(folder, nodeFiles, 4), order, expected);
      return filesIn(folder);
    };
    const whole = made(sessions, ids);
    expect(Object.keys(whole as object).length).toBeGreaterThan(10);
    const [less, more] = [ids.slice(7, 30), [...ids, "0-before", `${ids[5]}-x`, "zzz"]];
    for (const expected of [ids, ids.toReversed(), less, more, []]) {
      for (const order of [sessions, sessions.toReversed()]) expect(made(order, expected)).toEqual(whole);
    }
  });
});

test("S11 a shard is a TOON document with the totals before the rows", () => {
  inFolders((newFolder) => {
    const folder = newFolder();
    const item = {
      id: "q-1",
      session_id: "2026-01-05-b",
      kind: "approval_required" as const,
      text: "Merge?\nNow?",
      phase: "phase-2",
    };
    rebuild(new ToonSessionIndex(folder), [
      {
        row: row("2026-01-05-b", { status: "failed", participants: ["coder@1.0", "critic"], title: "Try, again" }),
        inbox: [item],
      },
      {
        row: row("2026-01-05-a", {
          ended: null,
          status: "active",
          channel: null,
          channels: ["ops"],
          tokens_used: null,
          used: [],
        }),
        inbox: [],
      },
      { session_id: "2026-01-06-c", path: ".clew/sessions/2026-01-06-c/session.md", reason: "no frontmatter" },
    ]);
    const [, [name, text]] = Object.entries(filesIn(folder)) as [unknown, [string, string]];
    expect(name).toMatch(/^shards\/2026-01-05-a\.[0-9a-f]{8}\.toon$/);
    expect(text.trimEnd().split("\n")).toEqual([
      "by_agent[2]{key,sessions,tokens_used,with_tokens,cost_micro_usd,with_cost,duration_ms,ended,failed}:",
      "  coder@1.0,2,10,1,0,0,1000,1,1",
      "  critic,1,0,0,0,0,1000,1,1",
      "by_channel[2]{key,sessions,tokens_used,with_tokens,cost_micro_usd,with_cost,duration_ms,ended,failed}:",
      "  dev,1,10,1,0,0,1000,1,1",
      "  ops,1,0,0,0,0,0,0,0",
      "by_status[2]{key,sessions,tokens_used,with_tokens,cost_micro_usd,with_cost,duration_ms,ended,failed}:",
      "  active,1,0,0,0,0,0,0,0",
      "  failed,1,10,1,0,0,1000,1,1",
      "by_engine[1]{key,sessions,tokens_used,with_tokens,cost_micro_usd,with_cost,duration_ms,ended,failed}:",
      "  claude,2,10,1,0,0,1000,1,1",
      "unreadable[1]{session_id,path,reason}:",
      "  2026-01-06-c,.clew/sessions/2026-01-06-c/session.md,no frontmatter",
      "inbox[1]{session_id,id,kind,text,phase,started}:",
      '  2026-01-05-b,q-1,approval_required,"Merge?\\nNow?",phase-2,"2026-01-05T10:00:00Z"',
      "sessions[2]{session_id,started,ended,status,kind,archived,channel,channels,participants,engines,parent,bead,branch,merged,model,tokens_used,used,cost_usd,phases,errors,check,title}:",
      '  2026-01-05-a,"2026-01-05T10:00:00Z",null,active,work,false,null,ops,coder@1.0,claude,null,proj-1,main,false,null,null,"",null,1,0,0a0b0c0d,Fix the login',
      '  2026-01-05-b,"2026-01-05T10:00:00Z","2026-01-05T10:00:01Z",failed,work,false,dev,dev,coder@1.0 critic,claude,null,proj-1,main,false,null,10,coder@1.0 dev claude proj-1 10 %,null,1,0,0a0b0c0d,"Try, again"',
    ]);
  });
});

test("S11 a save among 2,000 sessions writes one shard and the manifest, the same row again writes nothing", () => {
  inFolders((newFolder) => {
    const written: string[] = [];
    const files: FileOps = { ...nodeFiles, write: (path, bytes) => (written.push(path), nodeFiles.write(path, bytes)) };
    const index = new ToonSessionIndex(newFolder(), files);
    const rows = manyRows(2000);
    rebuild(index, asSessions(rows));
    expect(index.shards().length).toBeGreaterThan(4);
    written.length = 0;
    const renamed = asSessions([{ ...row("2026-01-05-session-4"), title: "Another" }]);
    expect(index.apply({ put: renamed })).toEqual(["2026-01-05-session-4"]);
    expect(written).toHaveLength(2);
    expect(index.apply({ put: renamed, remove: ["2026-01-05-unknown"] })).toEqual([]);
    expect(written).toHaveLength(2);
  });
});

test("S11 a new question alone changes the index, and an answer takes it away", () => {
  inFolders((newFolder) => {
    const index = new ToonSessionIndex(newFolder());
    const item = { id: "q-1", session_id: "a", kind: "decision_needed" as const, text: "Which?", phase: "phase-1" };
    rebuild(index, asSessions([row("a")]));
    expect(index.apply({ put: [assumeRedacted({ row: row("a"), inbox: [item] })] })).toEqual(["a"]);
    expect(index.inbox()).toEqual([{ ...item, started: row("a").started }]);
    expect(index.apply({ put: asSessions([row("a")]) })).toEqual(["a"]);
    expect(index.inbox()).toEqual([]);
  });
});

test("S11 absurd numbers leave no trace once they are gone", () => {
  inFolders((newFolder) => {
    const [folder, clean] = [newFolder(), newFolder()];
    const absurd = [0.1, 0.2, 1e300, Number.MAX_SAFE_INTEGER, Number.NaN].map((tokens_used, n) =>
      row(`absurd-${n}`, { tokens_used, started: "0001-01-01T00:00:00Z", ended: "9999-12-31T00:00:00Z" }),
    );
    const index = new ToonSessionIndex(folder);
    rebuild(index, asSessions([...absurd, row("a")]));
    for (const { session_id } of absurd) index.apply({ remove: [session_id] });
    rebuild(new ToonSessionIndex(clean), asSessions([row("a")]));
    expect(filesIn(folder)).toEqual(filesIn(clean));
  });
});

test("S11 totals read the heads of the shards only", () => {
  inFolders((newFolder) => {
    const read: number[] = [];
    const files: FileOps = {
      ...nodeFiles,
      readInto: (path, buffer) => (read.push(buffer.length), nodeFiles.readInto(path, buffer)),
    };
    const index = new ToonSessionIndex(newFolder(), files);
    rebuild(index, asSessions(manyRows(1000)));
    expect(index.totals("agent")).toEqual([
      { key: "coder@1.0", sessions: 1000, tokens_used: 10_000, cost_usd: null, avg_duration_ms: 1000, failure_rate: 0 },
    ]);
    expect(read).toHaveLength(index.shards().length);
    expect(Math.max(...read)).toBeLessThan(1000);
  });
});

test("S11 the newest of many are looked for only in the shards that can hold them", () => {
  inFolders((newFolder) => {
    let reads = 0;
    const files: FileOps = {
      ...nodeFiles,
      readInto: (path, buffer) => ((reads += 1), nodeFiles.readInto(path, buffer)),
    };
    const index = new ToonSessionIndex(newFolder(), files);
    rebuild(index, asSessions(manyRows(3000)));
    expect(index.newest({}, 20).filter(({ session_id }) => session_id.startsWith("2026-01-28"))).toHaveLength(20);
    expect(index.newest({ since: "2026-02-01" }, 20)).toEqual([]);
    expect(reads).toBeLessThanOrEqual(2);
  });
});

test("S11 a discarded index does not exist until it is rebuilt", () => {
  inFolders((newFolder) => {
    const index = new ToonSessionIndex(newFolder());
    expect(index.exists()).toBe(false);
    expect(() => index.ids()).toThrow(IndexDamaged);
    index.discard();
    rebuild(index, asSessions([row("a")]));
    expect(index.exists()).toBe(true);
    index.discard();
    expect(index.exists()).toBe(false);
    expect(() => index.apply({ remove: ["a"] })).toThrow(IndexDamaged);
    rebuild(index, []);
    expect(index.ids()).toEqual([]);
  });
});

test("S11 a missing folder of shards is damage for a writer too", () => {
  inFolders((newFolder) => {
    const folder = newFolder();
    const index = new ToonSessionIndex(folder);
    rebuild(index, []);
    rmSync(join(folder, "shards"), { recursive: true });
    expect(() => index.apply({ put: asSessions([row("a")]) })).toThrow(IndexDamaged);
  });
});

test("S11 no byte of the manifest can change unnoticed", () => {
  inFolders((newFolder) => {
    const folder = newFolder();
    rebuild(new ToonSessionIndex(folder, nodeFiles, 2), asSessions(manyRows(5)));
    const healthy = readFileSync(join(folder, "manifest.toon"));
    for (const at of healthy.keys()) {
      const harmed = Buffer.from(healthy);
      harmed[at] = (harmed[at] ?? 0) ^ 1;
      const index = new ToonSessionIndex(folder, { ...nodeFiles, read: () => harmed });
      expect(() => index.shards()).toThrow(IndexDamaged);
    }
  });
});

test("S11 a manifest of another format is damage", () => {
  inFolders((newFolder) => {
    const folder = newFolder();
    rebuild(new ToonSessionIndex(folder), []);
    writeFileSync(join(folder, "manifest.toon"), "format: 3\nshards: []\n");
    expect(() => new ToonSessionIndex(folder).ids()).toThrow(IndexDamaged);
  });
});
