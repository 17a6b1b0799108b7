import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

/** Not on every machine. */
const fish = "fish";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

/** A repository in which a shell finds `clew`, with a session to complete. */
async function repoWithShell(): Promise<{ repo: Repo; id: string; env: NodeJS.ProcessEnv }> {
  const repo = new Repo();
  const id = await repo.clew("session", "start", "Complete me");
  await repo.clew("session", "list");
  const bin = join(repo.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "clew"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, "clew"), 0o755);
  return { repo, id, env: { PATH: `${bin}:${process.env["PATH"]}`, HOME: repo.root, TERM: "dumb" } };
}

/** What bash would offer at the end of a line, with nothing of its start-up files. */
function completeInBash(repo: Repo, env: NodeJS.ProcessEnv, line: string, words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const script = `
    set -e
    source <(clew completion bash); source <(clew completion bash)
    COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    __clew_complete
    complete -p clew >&2
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const made = spawnSync("bash", ["--norc", "--noprofile", "-c", script], { cwd: repo.root, env, encoding: "utf8" });
  expect([made.status, made.stderr.trim()]).toEqual([0, "complete -o default -F __clew_complete clew"]);
  return made.stdout.split("\n").filter((each) => each !== "");
}

function has(shell: string): boolean {
  return spawnSync(shell, ["-c", "true"]).status === 0;
}

describe("Tab", () => {
  test("B.10 bash completes without the bash-completion package, and when the script was read twice", async () => {
    const { repo: made, id, env } = await repoWithShell();
    using repo = made;
    const offers = (line: string, ...words: string[]): string[] => completeInBash(repo, env, line, words);
    expect(offers("clew session sh", "clew", "session", "sh")).toEqual(["show", "share"]);
    expect(offers("clew session show ", "clew", "session", "show", "")).toContain(id);
    expect(offers("clew run ", "clew", "run", "")).toEqual(expect.arrayContaining(["list", "approve"]));
    // Bash hands on `--status=` in three words, and replaces the last of them.
    expect(offers("clew session list --status=pa", "clew", "session", "list", "--status", "=", "pa")).toEqual([
      "paused",
    ]);
  });

  test("B.10 what was typed is never run", async () => {
    const { repo: made, env } = await repoWithShell();
    using repo = made;
    completeInBash(repo, env, "clew session show $(touch gone) ", ["clew", "session", "show", "$(touch gone)", ""]);
    expect(repo.git("status", "--short", "--", "gone")).toBe("");
  });

  test.runIf(has("zsh"))("B.10 zsh completes with a bare start, and when the script was read twice", async () => {
    const { repo: made, env } = await repoWithShell();
    using repo = made;
    const script = `
      source <(clew completion zsh); source <(clew completion zsh)
      print -r -- "$_comps[clew]"
      # What the shell would be told.
      _describe() { print -rl -- "\${(@P)4}" }
      words=(clew session sh); CURRENT=3; _clew`;
    const told = execFileSync("zsh", ["-f", "-c", script], { cwd: repo.root, env, encoding: "utf8" });
    expect(told.split("\n").slice(0, 2)).toEqual(["_clew", expect.stringMatching(/^show:Shows a session/)]);
  });

  test.runIf(has(fish))("B.10 fish completes, and offers nothing twice", async () => {
    const { repo: made, id, env } = await repoWithShell();
    using repo = made;
    const script = `clew completion fish | source; clew completion fish | source; complete -C'clew session show '`;
    const told = execFileSync(fish, ["--no-config", "-c", script], { cwd: repo.root, env, encoding: "utf8" });
    expect(told.split("\n").filter((line) => line.startsWith(`${id}\t`))).toEqual([`${id}\tComplete me`]);
  });
});
