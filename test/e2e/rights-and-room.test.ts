import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";
import { canMount, SmallDisk } from "../support/small-disk.ts";

/** The user `nobody`: root may do everything, so that what is forbidden has to be tried as somebody else. */
const nobody = 65_534;
const asSomebody = process.getuid?.() === 0 ? { uid: nobody } : {};

function giveAway(repo: Repo): void {
  if ("uid" in asSomebody) execFileSync("chown", ["-R", `${nobody}:${nobody}`, repo.root]);
}

interface List {
  sessions: { session_id: string }[];
  unreadable: { path: string; reason: string }[];
}

describe("bad places: no rights", () => {
  test("S12 a session that may not be read is listed with the reason, and the others as usual", async () => {
    using repo = new Repo();
    const closed = await repo.clew("session", "start", "Closed");
    const open = await repo.clew("session", "start", "Open");
    giveAway(repo);
    chmodSync(repo.path(closed), 0);
    for (const command of [
      ["index", "rebuild"],
      ["index", "check"],
    ])
      expect((await repo.run(command, asSomebody)).code).toBe(0);
    const { stdout } = await repo.run(["session", "list", "--json"], asSomebody);
    const list = JSON.parse(stdout) as List;
    expect(list.sessions.map(({ session_id }) => session_id)).toEqual([open]);
    expect(list.unreadable).toEqual([
      { path: repo.path(closed), reason: expect.stringContaining("permission") as string },
    ]);
    expect((await repo.run(["session", "show", closed], asSomebody)).code).toBe(2);
  });

  test("S1 a sessions folder without rights: exit 2, the folder is named, nothing is left behind", async () => {
    using repo = new Repo();
    await repo.clew("session", "start", "First");
    giveAway(repo);
    chmodSync(join(repo.root, ".clew/sessions"), 0o555);
    const error = await repo.refused(["session", "start", "Second"], asSomebody);
    // A plain user could not clear the folder away otherwise.
    chmodSync(join(repo.root, ".clew/sessions"), 0o755);
    expect(error).toMatchObject({ code: "no_permission", hint: expect.stringContaining("rights") as string });
    expect(error.message).toContain(`${repo.root}/.clew/sessions`);
  });

  test.runIf("uid" in asSomebody)(
    "S12 in a repository of somebody else one can look, and writing is refused",
    async () => {
      using repo = new Repo();
      chmodSync(repo.root, 0o755);
      const id = await repo.clew("session", "start", "Theirs");
      await repo.clew("session", "list");
      for (const args of [
        ["session", "list"],
        ["session", "show", id],
      ]) {
        expect((await repo.run(args, asSomebody)).stdout).toContain("Theirs");
      }
      rmSync(join(repo.home, "index"), { recursive: true });
      const writing = [
        ["session", "list"],
        ["index", "rebuild"],
        ["session", "log", "text", "x", "-s", id],
        ["session", "pause", id],
      ];
      for (const args of writing) {
        const { code, message } = await repo.refused(args, asSomebody);
        expect([args.join(" "), code]).toEqual([args.join(" "), "no_permission"]);
        expect(message).toContain(repo.root);
      }
    },
  );

  test.runIf("uid" in asSomebody)("S12 doctor in a repository of somebody else ends its examination", async () => {
    using repo = new Repo();
    chmodSync(repo.root, 0o755);
    await repo.clew("init");
    const doctor = await repo.run(["doctor"], asSomebody);
    expect(doctor.stdout).toContain("✗ folders");
    expect(doctor.stdout.split("\n").findLast((line) => /^[✓✗!]/.test(line))).toContain("worktrees");
    expect(doctor.stderr).toBe("");
    expect(doctor.code).toBe(1);
  });

  test("S12 something else in place of a session.md is listed, not the end of the list", async () => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Fine");
    const odd = await repo.clew("session", "start", "Odd");
    await repo.clew("session", "end", odd);
    rmSync(join(repo.home, "live", `${odd}.jsonl`));
    rmSync(repo.path(odd));
    execFileSync("mkdir", [repo.path(odd)]);
    writeFileSync(join(repo.root, ".clew/sessions/README.md"), "Notes on our sessions.\n");
    const list = await repo.json<List>("index", "rebuild").then(() => repo.json<List>("session", "list"));
    expect(list.sessions.map(({ session_id }) => session_id)).toEqual([id]);
    expect(list.unreadable.map(({ path }) => path)).toEqual([repo.path(odd)]);
  });
});

/** A small disk that holds what Clew writes in a repository; undefined where mounting is not allowed. */
function smallDisk(): { repo: Repo; disk: SmallDisk; [Symbol.dispose](): void } | undefined {
  if (!canMount()) return undefined;
  const repo = new Repo();
  const disk = new SmallDisk("1m");
  for (const folder of ["clew", ".clew"]) mkdirSync(join(disk.path, folder));
  symlinkSync(join(disk.path, "clew"), join(repo.root, ".git/clew"));
  symlinkSync(join(disk.path, ".clew"), join(repo.root, ".clew"));
  repo.env["XDG_CONFIG_HOME"] = join(repo.root, ".git/settings");
  mkdirSync(join(repo.root, ".git/settings/clew"), { recursive: true });
  writeFileSync(join(repo.root, ".git/settings/clew/config.yaml"), "allow_linked_clew: true\n");
  return {
    repo,
    disk,
    [Symbol.dispose]() {
      repo[Symbol.dispose]();
      disk[Symbol.dispose]();
    },
  };
}

describe("bad places: no room", () => {
  test("S7 on a full disk nothing is half done, and the error says so", async ({ skip }) => {
    using small = smallDisk();
    if (!small) return skip("mounting a small file system is not allowed here");
    const { repo, disk } = small;
    const id = await repo.clew("session", "start", "Full");
    await repo.log(id, { kind: "text", text: "before" });
    disk.fill(0);
    for (const args of [
      ["session", "log", "text", "y".repeat(9000), "-s", id],
      ["session", "log", "error", "z".repeat(9000), "-s", id],
      ["session", "start", "Another"],
    ]) {
      const error = await repo.refused(args, {}, 1);
      expect([args[1], error.code]).toEqual([args[1], "disk_full"]);
      expect(error.hint).toContain("free some space");
    }
    expect(readdirSync(join(repo.root, ".clew/sessions"))).toEqual([id]);
    disk.free();
    await repo.log(id, { kind: "text", text: "after" });
    expect(textsOf(await repo.show(id))).toEqual(["before", "after"]);
  });

  test("S7 while the last room is used up, what was acknowledged is there and nothing else", async ({ skip }) => {
    using small = smallDisk();
    if (!small) return skip("mounting a small file system is not allowed here");
    const { repo, disk } = small;
    const id = await repo.clew("session", "start", "Filling");
    await repo.clew("session", "list");
    const titles: string[] = [];
    disk.fill(20_000);
    for (let at = 0; at < 14; at++) {
      const title = `Phase ${at} ${"x".repeat(180)}`;
      if ((await repo.run(["session", "log", "phase", title, "-s", id])).code === 0) titles.push(title);
    }
    disk.free();
    expect(titles.length).toBeLessThan(14);
    expect((await repo.show(id)).phases.map((phase) => phase.title)).toEqual(titles);
    const { sessions } = await repo.json<{ sessions: { phases: number }[] }>("session", "list");
    expect(sessions).toMatchObject([{ session_id: id, phases: titles.length }]);
    expect(existsSync(disk.filler)).toBe(false);
  });
});
