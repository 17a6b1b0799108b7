import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";
import { removeFolder } from "../support/remove-folder.ts";

/** A folder of the user's that no repository has to do with. */
class Elsewhere {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "clew elsewhere ")));

  constructor() {
    mkdirSync(join(this.path, "folder"));
    writeFileSync(join(this.path, "file"), "private words\n");
  }

  /** All that stands there, with its content. */
  get content(): Record<string, string> {
    const files = readdirSync(this.path, { recursive: true, withFileTypes: true });
    return Object.fromEntries(
      files.map((file) => {
        const path = join(file.parentPath, file.name);
        return [path.slice(this.path.length), file.isFile() ? readFileSync(path, "latin1") : "folder"];
      }),
    );
  }

  [Symbol.dispose](): void {
    removeFolder(this.path);
  }
}

const start = ["session", "start", "Work"];
const create = ["bead", "create", "Work"];
const places: [path: string, to: "folder" | "file", commands: string[][]][] = [
  [".clew", "folder", [["init"], start]],
  [".clew/sessions", "folder", [["init"], start, ["session", "list"]]],
  [".clew/config.yaml", "file", [["init"], start, ["config", "show"]]],
  [".beads", "folder", [create]],
  [".beads/issues.jsonl", "file", [create, ["bead", "list"]]],
  [".git/clew", "folder", [["init"], start]],
  [".git/clew/live", "folder", [start]],
  [".git/clew/locks", "folder", [start]],
  [".git/clew/index", "folder", [start]],
];

describe("D6 links out of the repository", () => {
  test.each(places)(
    "D6 nothing is written through %s when it is a link to a %s elsewhere",
    async (place, to, commands) => {
      using repo = new Repo();
      using elsewhere = new Elsewhere();
      const before = elsewhere.content;
      mkdirSync(dirname(join(repo.root, place)), { recursive: true });
      symlinkSync(join(elsewhere.path, to), join(repo.root, place));
      for (const args of commands) {
        const { code, stdout, stderr } = await repo.run([...args, "--json"]);
        expect([args, code, stderr.includes(elsewhere.path)]).toEqual([args, 2, true]);
        expect([args, stdout.includes("private words"), stderr.includes("private words")]).toEqual([
          args,
          false,
          false,
        ]);
      }
      expect(elsewhere.content).toEqual(before);
    },
  );

  test.each(["folder", "file"] as const)(
    "D6 S12 a session whose %s is a link elsewhere is neither read nor written",
    async (to) => {
      using repo = new Repo();
      using elsewhere = new Elsewhere();
      const fine = await repo.clew("session", "start", "Fine");
      repo.place("away", { title: "private words" }, "\n## One\n\n> [!agent]\n> private words\n");
      const outside = join(elsewhere.path, "folder/session.md");
      writeFileSync(outside, readFileSync(repo.path("away")));
      rmSync(dirname(repo.path("away")), { recursive: true });
      if (to === "folder") symlinkSync(join(elsewhere.path, "folder"), dirname(repo.path("away")));
      else {
        mkdirSync(dirname(repo.path("away")));
        symlinkSync(outside, repo.path("away"));
      }
      const before = elsewhere.content;
      const listed = await repo.json<{ sessions: { session_id: string }[]; unreadable: object[] }>("session", "list");
      expect(listed.sessions).toMatchObject([{ session_id: fine }]);
      expect(listed.unreadable).toMatchObject([
        { path: repo.path("away"), reason: expect.stringContaining(elsewhere.path) as string },
      ]);
      for (const args of [["log", "text", "more"], ["show"], ["end"], ["rename", "x"], ["resume"]]) {
        const named = args[0] === "log" ? [...args, "-s", "away"] : [args[0]!, "away", ...args.slice(1)];
        const { stdout, stderr, code } = await repo.run(["session", ...named]);
        expect([args, code, `${stdout}${stderr}`.includes("private words")]).toEqual([args, 2, false]);
      }
      expect((await repo.json<{ hits: unknown[] }>("search", "private")).hits).toEqual([]);
      await repo.clew("session", "delete", "--yes", "away");
      expect(elsewhere.content).toEqual(before);
    },
  );

  test.each([".clew/sessions", ".clew/sessions/ID"])(
    "D6 nothing is written to a session that was moved away with %s, though its file is the same",
    async (moved) => {
      using repo = new Repo();
      using elsewhere = new Elsewhere();
      const id = await repo.clew(...start);
      await repo.log(id, { kind: "text", text: "one" });
      const place = join(repo.root, moved.replace("ID", id));
      renameSync(place, join(elsewhere.path, "moved"));
      symlinkSync(join(elsewhere.path, "moved"), place);
      const before = elsewhere.content;
      for (const args of [
        ["log", "text", "two", "-s", id],
        ["log", "phase", "Two", "-s", id],
        ["pause", id],
        ["rename", id, "Another title"],
        ["end", id],
      ]) {
        expect([args, (await repo.run(["session", ...args])).code]).toEqual([args, 2]);
      }
      expect(elsewhere.content).toEqual(before);
    },
  );

  test.each(["live", "open"])("D6 deleting a session removes nothing behind a linked %s folder", async (name) => {
    using repo = new Repo();
    using elsewhere = new Elsewhere();
    const id = await repo.clew(...start);
    const place = join(repo.home, name);
    renameSync(place, join(elsewhere.path, "moved"));
    symlinkSync(join(elsewhere.path, "moved"), place);
    const before = elsewhere.content;
    expect((await repo.run(["session", "delete", id, "--yes"])).code).toBe(2);
    expect(elsewhere.content).toEqual(before);
  });

  test("D6 a link into git's own folder, whose hooks would be run, is refused; one inside the checkout is not", async () => {
    using repo = new Repo();
    mkdirSync(join(repo.root, ".clew"));
    symlinkSync("../.git/hooks", join(repo.root, ".clew/sessions"));
    expect((await repo.run(start)).stderr).toContain(".git/hooks");
    rmSync(join(repo.root, ".clew/sessions"));
    mkdirSync(join(repo.root, "notes"));
    symlinkSync("../notes", join(repo.root, ".clew/sessions"));
    const id = await repo.clew(...start);
    await repo.log(id, { kind: "text", text: "one" });
    expect(existsSync(join(repo.root, "notes", id, "session.md"))).toBe(true);
    expect(textsOf(await repo.show(id))).toEqual(["one"]);
  });

  test("D6 a user may allow a linked .clew in their own settings; a repository may not", async () => {
    using repo = new Repo();
    using elsewhere = new Elsewhere();
    const env = { XDG_CONFIG_HOME: join(elsewhere.path, "settings") };
    mkdirSync(join(env.XDG_CONFIG_HOME, "clew"), { recursive: true });
    writeFileSync(join(env.XDG_CONFIG_HOME, "clew/config.yaml"), "allow_linked_clew: true\n");
    symlinkSync(join(elsewhere.path, "folder"), join(repo.root, ".clew"));
    const { code, stdout } = await repo.run(start, { env });
    expect(code).toBe(0);
    const id = stdout.trim();
    expect((await repo.run(["session", "log", "text", "one", "-s", id], { env })).code).toBe(0);
    expect(readFileSync(join(elsewhere.path, "folder/sessions", id, "session.md"), "utf8")).toContain("> one");
    writeFileSync(join(elsewhere.path, "folder/config.yaml"), "allow_linked_clew: true\n");
    expect((await repo.run(["session", "list"], { env })).stderr).toContain("counts only in your own");
    rmSync(join(repo.root, ".clew"));
    repo.configure("allow_linked_clew: true\n");
    expect((await repo.run(["session", "list"])).stderr).toContain("counts only in your own");
  });
});
