import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { node } from "../support/node.ts";
import { Repo, textsOf } from "../support/repo.ts";
import { canMount, SmallDisk } from "../support/small-disk.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

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
      // Without an index, one is made in memory, which is said.
      const listed = await repo.run(["session", "list"], asSomebody);
      expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining(id) as string });
      expect(listed.stderr).toContain("in memory");
      const writing = [
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
    expect(doctor.stdout.split("\n").findLast((line) => /^[✓✗!]/.test(line))).toContain("work sessions");
    expect(doctor.stderr).toMatch(/^warning: no permission for .* the index was made in memory for this answer\n$/);
    expect(doctor.code).toBe(1);
  });

  test.each([
    ["a folder", (path: string) => mkdirSync(path)],
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
    [
      "a text",
      (path: string) => writeFileSync(path, "no database at all, but longer than its head would be".repeat(9)),
    ],
  ])("S12 %s in place of a lock file is told by its name", async (_, put) => {
    using repo = new Repo();
    const id = await repo.clew("session", "start", "Fine");
    const locks = join(repo.home, "locks");
    for (const name of readdirSync(locks)) {
      if (!name.startsWith("session-")) continue;
      rmSync(join(locks, name));
      put(join(locks, name));
    }
    const { code, message, hint } = await repo.refused(["session", "log", "text", "x", "-s", id]);
    expect([code, hint]).toEqual(["unreadable_file", "put a file in its place, or move it away"]);
    expect(message).toMatch(/session-[0-9a-f]{2}\.lock is (?:a folder, |a pipe, )?not a lock file$/);
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

  test("S12 on a full disk one can look: index and search are made in memory, and that is said", async ({ skip }) => {
    using small = smallDisk();
    if (!small) return skip("mounting a small file system is not allowed here");
    const { repo, disk } = small;
    const first = await repo.clew("session", "start", "First");
    await repo.clew("search", "nothing");
    const id = await repo.clew("session", "start", "Full");
    await repo.log(id, { kind: "text", text: "a needle" }, { kind: "decision_needed", text: "Which one?" });
    for (const lost of ["", "index", "search", "locks"]) {
      disk.free();
      if (lost !== "") rmSync(join(repo.home, lost), { recursive: true });
      disk.fill(0);
      const look = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await repo.run([...args, "--json"]);
        expect([lost, args, code, /^(?:warning: [^\n]*in memory[^\n]*\n)?$/.test(stderr) ? "" : stderr]).toEqual([
          lost,
          args,
          0,
          "",
        ]);
        return stdout;
      };
      const { sessions } = JSON.parse(await look("session", "list")) as List;
      expect(sessions.map(({ session_id }) => session_id).toSorted()).toEqual([first, id].toSorted());
      expect(JSON.parse(await look("search", "needle"))).toMatchObject({ hits: [{ session_id: id }] });
      expect(JSON.parse(await look("inbox"))).toMatchObject({ items: [{ text: "Which one?" }] });
      expect(await look("session", "show", id)).toContain("a needle");
      expect(await look("session", "stats", "--by", "status")).toContain("active");
    }
    disk.free();
    expect((await repo.json<List>("session", "list")).sessions).toHaveLength(2);
    expect(await repo.json("index", "check")).toEqual({ sessions: 2, changed: [] });
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

test("S12 a stdout that takes nothing is told in words, with and without --json", async () => {
  using repo = new Repo();
  await repo.clew("session", "start", "Work");
  for (const words of [
    ["session", "list", "--json"],
    ["session", "list"],
    ["bead", "create", "x", "--json"],
    ["--help"],
  ]) {
    const script = `exec "$0" "$@" > /dev/full`;
    const { status, stderr } = spawnSync("sh", ["-c", script, node, program, ...words], {
      cwd: repo.root,
      encoding: "utf8",
    });
    expect([words, status, stderr.includes("    at ")]).toEqual([words, expect.any(Number), false]);
    expect([words, status === 0, stderr]).toEqual([words, false, expect.stringMatching(/^error: .*no (?:room|space)/)]);
  }
});
