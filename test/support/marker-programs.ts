import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MergeRepo } from "./merge-repo.ts";

/** A program that tells that it was started, and passes on what it gets, so that git is content with it; for a shell. */
export function marker(repo: MergeRepo, name: string): string {
  const file = join(repo.root, ".git", `marker-${name}.sh`);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> "${join(repo.root, ".git/started")}"\ncat 2>/dev/null\n`);
  chmodSync(file, 0o755);
  return `'${file}'`;
}

/** What the markers told since they were last forgotten. */
export function started(repo: MergeRepo): string {
  const file = join(repo.root, ".git/started");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

export function forgetStarted(repo: MergeRepo): void {
  rmSync(join(repo.root, ".git/started"), { force: true });
}

type Settings = [string, string][];

/** Every setting that names a program which git might start, with the kind of program as the marker's name. */
const programSettings = (program: (kind: string) => string): Settings => [
  ["core.fsmonitor", program("fsmonitor")],
  ["core.pager", program("pager")],
  ["pager.diff", program("pager")],
  ["pager.log", program("pager")],
  ["pager.status", program("pager")],
  ["pager.config", program("pager")],
  ["core.editor", program("editor")],
  ["sequence.editor", program("editor")],
  ["core.askPass", program("askpass")],
  ["core.sshCommand", program("ssh")],
  ["core.gitProxy", program("proxy")],
  ["core.hooksPath", ".git/evil-hooks"],
  ["core.alternateRefsCommand", program("alternates")],
  ["credential.helper", `!${program("credential")}`],
  ["credential.https://example.invalid.helper", `!${program("credential")}`],
  ["gpg.program", program("gpg").slice(1, -1)],
  ["gpg.openpgp.program", program("gpg").slice(1, -1)],
  ["gpg.ssh.program", program("gpg").slice(1, -1)],
  ["gpg.x509.program", program("gpg").slice(1, -1)],
  ["gpg.ssh.defaultKeyCommand", program("gpg")],
  ["log.showSignature", "true"],
  ["commit.gpgSign", "true"],
  ["diff.external", program("external")],
  ["diff.submodule", "diff"],
  ["diff.evil.textconv", program("textconv")],
  ["diff.evil.command", program("command")],
  ["diff.tool", "evil"],
  ["difftool.evil.cmd", program("tool")],
  ["merge.evil.driver", program("driver")],
  ["merge.default", "evil"],
  ["mergetool.evil.cmd", program("tool")],
  ["interactive.diffFilter", program("interactive")],
  ["alias.status", `!${program("alias")}`],
  ["alias.diff", `!${program("alias")}`],
  ["alias.config", `!${program("alias")}`],
  ["remote.origin.url", "ext::sh -c true"],
  ["remote.origin.promisor", "true"],
  ["remote.origin.uploadpack", program("uploadpack")],
  ["remote.origin.receivepack", program("receivepack")],
  ["remote.origin.vcs", "ext"],
  ["protocol.allow", "always"],
  ["protocol.ext.allow", "always"],
  ["uploadpack.packObjectsHook", program("packobjects")],
  ["status.submoduleSummary", "true"],
  ["submodule.recurse", "true"],
  ["submodule.sub.update", `!${program("update")}`],
  ["trailer.evil.key", "Evil"],
  ["trailer.evil.command", program("trailer")],
  ["trailer.evil.cmd", program("trailer")],
  ["tar.evil.command", program("tar")],
  ["sendemail.toCmd", program("mail")],
  ["ssh.variant", "simple"],
  ["safe.directory", "*"],
  ["blame.ignoreRevsFile", "/dev/null"],
  ["mailmap.file", "/dev/null"],
  // Newer versions of git have hooks in their settings.
  ["hook.evil.command", program("hook")],
  ["hook.evil.event", "post-index-change"],
];

export const filterSettings = (program: (kind: string) => string, name: string): Settings => [
  [`filter.${name}.clean`, program(`clean-${name}`)],
  [`filter.${name}.smudge`, program(`smudge-${name}`)],
  [`filter.${name}.required`, "true"],
];

/** All that git might start, at the end of a file of settings. */
export function plantPrograms(repo: MergeRepo, file: string, filter = "evil"): void {
  const program = (kind: string): string => marker(repo, kind);
  const lines = [...programSettings(program), ...filterSettings(program, filter)].map(([key, value]) => {
    const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
    const subsection = first === last ? "" : ` "${key.slice(first + 1, last)}"`;
    return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)} = "${value.replace(/["\\]/g, "\\$&")}"\n`;
  });
  appendFileSync(file, lines.join(""));
}

/** Hooks, where git looks for them by itself and where `core.hooksPath` of the settings leads. */
export function plantHooks(repo: MergeRepo, gitDir: string): void {
  const names = "post-index-change reference-transaction post-checkout pre-commit post-commit fsmonitor-watchman";
  for (const folder of [join(gitDir, "evil-hooks"), join(gitDir, "hooks")]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of names.split(" ")) {
      const script = `#!/bin/sh\necho hook-${hook} >> "${repo.root}/.git/started"\n`;
      writeFileSync(join(folder, hook), script, { mode: 0o755 });
    }
  }
}

/** Everything that one can ask of Clew without wanting anything changed. */
export const looks: string[][] = [
  ["session", "list"],
  ["session", "show", "latest"],
  ["session", "search", "x"],
  ["search", "x"],
  ["inbox"],
  ["doctor"],
  ["run", "list"],
  ["run", "show", "proj-1"],
  ["run", "log", "proj-1"],
  ["run", "diff", "proj-1"],
  ["run", "diff", "proj-1", "--stat"],
  ["worktree", "list"],
  ["grimoire", "list"],
  ["grimoire", "preview", "flow", "--bead", "proj-1"],
  ["config", "show"],
  ["bead", "list"],
  ["bead", "ready"],
  ["bead", "show", "proj-1"],
  ["index", "check"],
  ["complete", "--", "session", "show", ""],
];

/** A run that waits for approval, with changes in its worktree that git must compare, and attributes for everything. */
export async function watchedRepo(filter: string, work = "echo new > new.txt"): Promise<MergeRepo> {
  const repo = new MergeRepo(work);
  await repo.run(["run", "proj-1"]);
  mkdirSync(join(repo.root, ".git/info"), { recursive: true });
  writeFileSync(join(repo.root, ".git/info/attributes"), `* filter=${filter} diff=evil merge=evil\n`);
  // As long as before, so that git has to read it.
  repo.put("kept.txt", "kepT\n", repo.worktree);
  forgetStarted(repo);
  return repo;
}
