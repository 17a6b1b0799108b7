import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BeadStore } from "../../app/bead/ports.ts";
import type { Locks } from "../files/lock.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { openBeadStore } from "./open-beads.ts";

const noLocks: Locks = { with: async (_, work) => work(), close: () => undefined };

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "clew-open-")));
  mkdirSync(join(root, ".beads"));
  writeFileSync(join(root, ".beads/issues.jsonl"), '{"id":"p-1","title":"One","status":"open"}\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** `answer` is what `br` prints, whatever it is asked; without one there is no `br`. */
function open(answer?: string, commonDir = join(root, ".git")): Promise<BeadStore> {
  if (answer !== undefined) install(answer);
  const locks = async (): Promise<typeof noLocks> => noLocks;
  const env = { PATH: `${root}:/usr/bin:/bin` };
  return openBeadStore(
    { disk: nodeDisk, root, commonDir, locks, locksAt: locks, env, actor: "me" },
    { mayWriteOutside: false, refuseSparse: () => undefined },
  );
}

function install(answer: string): void {
  writeFileSync(join(root, "br"), `#!/bin/sh\ncat <<'END'\n${answer}\nEND\n`);
  chmodSync(join(root, "br"), 0o755);
}

describe("G2 who keeps the beads while a process lives", () => {
  it("G2 a database of br that comes is not passed over in favour of the file beside it", async () => {
    const store = await open('[{"id":"p-2","title":"Two"}]');
    expect(store.find("p-1")).toMatchObject({ title: "One" });
    const { changes } = store;
    writeFileSync(join(root, ".beads/beads.db"), "");
    expect(() => store.find("p-1")).toThrow(/^\.beads\/beads\.db: br keeps the beads since a moment ago/);
    expect(store.changes).not.toBe(changes);
    await store.refresh();
    expect(store.all().beads).toMatchObject([{ id: "p-2" }]);
  });

  it("G2 the file of br is read where br is not installed, and br is asked once it is", async () => {
    writeFileSync(join(root, ".beads/beads.db"), "");
    const store = await open();
    expect(store.all().beads).toMatchObject([{ id: "p-1" }]);
    install('[{"id":"p-2","title":"Two"}]');
    await store.refresh();
    expect(store.all().beads).toMatchObject([{ id: "p-2" }]);
  });

  it("G2 a program that was wrong is asked again once it is mended", async () => {
    writeFileSync(join(root, ".beads/beads.db"), "");
    const store = await open("nothing of use");
    expect(() => store.all()).toThrow("br list printed no JSON that clew can read");
    install('[{"id":"p-2","title":"Two"}]');
    await store.refresh();
    expect(store.all().beads).toMatchObject([{ id: "p-2" }]);
  });

  it("G2 changes are told when they are made, not before", async () => {
    const store = await open();
    const before = store.changes;
    let during = "";
    await store.change("p-1", (bead) => {
      during = store.changes;
      return { ...bead, title: "Other" };
    });
    expect(during).toBe(before);
    expect(store.changes).not.toBe(before);
  });

  it("G2 D7 git's folder is where git has it, as in a submodule", async () => {
    const commonDir = join(root, "elsewhere/git");
    mkdirSync(join(commonDir, "clew/beads"), { recursive: true });
    writeFileSync(join(root, ".git"), `gitdir: ${commonDir}\n`);
    rmSync(join(root, ".beads"), { recursive: true });
    symlinkSync(join(commonDir, "clew/beads"), join(root, ".beads"));
    await (await open(undefined, commonDir)).add(() => ({ id: "p-2", title: "Two" }));
    expect(readFileSync(join(commonDir, "clew/beads/issues.jsonl"), "utf8")).toContain("p-2");
    mkdirSync(join(commonDir, "hooks"));
    rmSync(join(root, ".beads"));
    symlinkSync(join(commonDir, "hooks"), join(root, ".beads"));
    const store = await open(undefined, commonDir);
    await expect(store.add(() => ({ id: "p-3", title: "Three" }))).rejects.toThrow("Clew writes only inside");
  });
});
