import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { bead, writeBead } from "../support/grimoires.ts";
import { outcomeOf, type Outcome, type Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { Served } from "../support/served.ts";

const fails = "- {name: x, type: script, command: exit 1}";
const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

/** The program on a terminal, where somebody types. */
function onTerminal(repo: Repo, args: string[], typed: string): Promise<Outcome> {
  const line = [process.execPath, program, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], { cwd: repo.root, stdio: ["pipe", "pipe", "pipe"] });
  // Typed only once it is asked for: what comes before may be lost.
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    if (printed.includes("[y/N]") && child.stdin.writable) child.stdin.end(typed);
  });
  return outcomeOf(child);
}

async function statusOf(repo: Repo, id = "proj-1"): Promise<unknown> {
  return (await repo.json<{ bead: { status?: unknown } }>("bead", "show", id)).bead.status;
}

describe("G13 a bead whose run is not over", () => {
  test("G13 is closed only with --yes; the refusal names the run, and nothing is closed", async () => {
    using repo = new RunRepo(fails);
    writeBead(repo, bead, { ...bead, id: "proj-2" });
    await repo.run(["run", "proj-1"]);
    const id = await repo.runId();
    for (const args of [
      ["close", "proj-1", "-r", "done"],
      ["close", "proj-2", "proj-1"],
      ["update", "proj-1", "--status", "closed"],
      ["update", "proj-1", "--status", "deferred", "--title", "Other"],
      ["update", "proj-1", "--status", "open"],
    ]) {
      const refused = await repo.refused(["bead", ...args]);
      expect(refused).toMatchObject({ code: "not_possible_now", message: `run ${id} of proj-1 is blocked, not over` });
      expect(refused.hint).toContain(`clew run cancel ${id}`);
    }
    expect([await statusOf(repo), await statusOf(repo, "proj-2")]).toEqual(["blocked", "open"]);
    await repo.clew("bead", "update", "proj-1", "--status", "blocked", "-p", "0");
    await repo.clew("bead", "close", "proj-1", "--yes");
    expect(await statusOf(repo)).toBe("closed");
    await repo.clew("bead", "update", "proj-1", "--status", "open", "--yes");
    await repo.run(["run", "cancel", "proj-1"]);
    await repo.clew("bead", "close", "proj-1");
    expect(await statusOf(repo)).toBe("closed");
  });

  test("G13 D6 is closed by no agent: not by a step with --yes, and not over the socket without a token", async () => {
    const closing = `"${process.execPath}" "${program}" bead`;
    using repo = new RunRepo(`- name: x
  type: script
  command: |
    for words in "close proj-1" "update proj-1 --status deferred" "close proj-2"; do
      ${closing} $words --yes || echo "refused: $?"
    done
    exit 1`);
    writeBead(repo, bead, { ...bead, id: "proj-2" });
    const { stdout, stderr } = await repo.run(["run", "proj-1"]);
    const id = await repo.runId();
    const message = `run ${id} of proj-1 is running, not over`;
    const told = `${stdout}${stderr}${await repo.clew("run", "log", id)}`;
    expect(told).toContain(message);
    expect([await statusOf(repo), await statusOf(repo, "proj-2")]).toEqual(["blocked", "closed"]);

    await using api = await Served.start(repo);
    const refused = await api.post("/beads/proj-1/close", {});
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining(`run ${id} of proj-1 is blocked, not over`),
    ]);
    expect(await statusOf(repo)).toBe("blocked");
    // A person's program is told before it closes it, as a person is.
    const { token } = api;
    for (const [path, body] of [
      ["/beads/proj-1/close", {}],
      ["/beads/proj-1/reopen", {}],
      ["/beads/proj-1", { status: "deferred", fields: { title: "Other" } }],
    ] as const) {
      const mistaken = await api.post(path, body, { token });
      expect([path, mistaken.status, mistaken.body.error.code]).toEqual([path, 409, "not_possible_now"]);
      expect(mistaken.body.error.hint).toContain("despite_run");
    }
    expect(await statusOf(repo)).toBe("blocked");
    expect((await api.post("/beads/proj-1", { fields: { title: "Other" } }, { token })).status).toBe(200);
    expect((await api.post("/beads/proj-1/close", { despite_run: true })).status).toBe(403);
    expect((await api.post("/beads/proj-1/close", { despite_run: true }, { token })).status).toBe(200);
    expect(await statusOf(repo)).toBe("closed");
  });

  test("G13 also when its claim was removed", async () => {
    using repo = new RunRepo(fails);
    await repo.run(["run", "proj-1"]);
    rmSync(join(repo.home, "claims"), { recursive: true });
    expect((await repo.refused(["bead", "close", "proj-1"])).code).toBe("not_possible_now");
  });

  test("G13 on a terminal it is asked for", async ({ skip }) => {
    if (!existsSync("/usr/bin/script")) return skip("nothing here makes a terminal");
    using repo = new RunRepo(fails);
    await repo.run(["run", "proj-1"]);
    const id = await repo.runId();
    const no = await onTerminal(repo, ["bead", "close", "proj-1"], "n\n");
    expect([no.code, no.stdout]).toEqual([130, expect.stringContaining(`run ${id} of proj-1 is blocked`)]);
    expect(await statusOf(repo)).toBe("blocked");
    const yes = await onTerminal(repo, ["bead", "close", "proj-1"], "y\n");
    expect([yes.code, yes.stdout]).toEqual([0, expect.stringContaining("Closed proj-1")]);
    expect(await statusOf(repo)).toBe("closed");
  });
});
