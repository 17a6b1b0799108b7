import type { Puzzle } from "../../../contract/api/learn.ts";
import { fenceSigns } from "../../../text/fence.ts";
import { shellWord } from "../../../text/shell-word.ts";
import { plain, quote } from "../../../session/export/plain-markdown.ts";
import { failureText } from "../../cases/failure-text.ts";
import { tomlTable } from "./toml-text.ts";

/** A Harbor task (task.toml, schema 1.4): the files at the commit on which a command failed, and that command as its test. */
export interface HarborTask {
  puzzle: Puzzle;
  command: string;
  /** Where the command runs, below the files of the task; "" is their root. */
  folder: string;
  image: string;
  /** Paths that the fix changes, and those that it removes. */
  changed: readonly string[];
  removed: readonly string[];
  /** Whether the task was run, without and with its solution. */
  isChecked: boolean;
}

export interface TaskFile {
  path: string;
  text: string;
  executable: boolean;
}

/** The files of a task, but for its archives: `environment/repo.tar`, and `solution/fix.tar` where files changed. */
export function taskFiles(task: HarborTask): TaskFile[] {
  const file = (path: string, text: string): TaskFile => ({ path, text, executable: path.endsWith(".sh") });
  return [
    file("task.toml", taskToml(task)),
    file("instruction.md", instruction(task)),
    file("environment/Dockerfile", dockerfile(task)),
    file("tests/test.sh", testScript(task)),
    file("tests/command.sh", `${task.command}\n`),
    file("solution/solve.sh", solveScript(task)),
  ];
}

/** The name of a task's folder: the session and the line. */
export function taskName({ id }: Puzzle): string {
  return id.replace(":", "-line-");
}

export function taskToml({ puzzle, isChecked }: Pick<HarborTask, "puzzle" | "isChecked">): string {
  const { metadata, id } = puzzle;
  const { session, agent, model, engine, commit, fixed_commit, outcome, tags, tools, path, title } = metadata;
  const about = { case: id, title, session, path, agent, model, engine, tools, commit, fixed_commit, outcome, tags };
  return `${[
    'schema_version = "1.4"',
    tomlTable("task", { name: `clew/${taskName(puzzle)}` }),
    tomlTable("metadata", { ...about, checked: isChecked }),
    tomlTable("agent", { timeout_sec: 1800 }),
    tomlTable("verifier", { timeout_sec: 600 }),
    tomlTable("environment", { build_timeout_sec: 600, workdir: "/app", network_mode: "no-network" }),
  ].join("\n\n")}\n`;
}

function instruction({ puzzle, command, folder }: HarborTask): string {
  const words = puzzle.context.flatMap(({ entry }) => (entry.kind === "user" ? [entry.text] : []));
  const output = puzzle.failure.map(({ entry }) => failureText(entry)).join("\n");
  return `${[
    `# ${plain(puzzle.metadata.title)}`,
    ...words.map(quote),
    folder === ""
      ? "In `/app`, this command fails:"
      : `In this folder below \`/app\`, a command fails:\n\n${fence(folder)}\n\nThe command:`,
    fence(command),
    ...(output === "" ? [] : ["It printed:", fence(output)]),
    "Change the files in `/app` so that it passes. Leave alone what the command checks with.",
  ].join("\n\n")}\n`;
}

/** A fence that nothing in the text can close. */
function fence(text: string): string {
  const ticks = fenceSigns(text);
  return `${ticks}text\n${text.replace(/\n$/, "")}\n${ticks}`;
}

function dockerfile({ image }: HarborTask): string {
  return `FROM ${image}\nWORKDIR /app\nADD repo.tar /app/\n`;
}

const folders = `here="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
workdir="\${CLEW_WORKDIR:-/app}"`;

function testScript({ folder }: HarborTask): string {
  const below = folder === "" ? "" : `/${shellWord(folder)}`;
  return `#!/bin/bash
# Runs the command that failed. CLEW_WORKDIR and CLEW_LOGS name other folders, to try it outside a container.
${folders}
logs="\${CLEW_LOGS:-/logs/verifier}"
mkdir -p "$logs"
echo 0 > "$logs/reward.txt"
cd "$workdir"${below} || exit 0
if bash "$here/command.sh" > "$logs/output.txt" 2>&1 < /dev/null; then echo 1 > "$logs/reward.txt"; fi
exit 0
`;
}

function solveScript({ changed, removed }: HarborTask): string {
  const unpack = changed.length === 0 ? [] : ['tar -xf "$here/fix.tar" -C "$workdir"'];
  // A file that is in the way of a folder goes first.
  const remove = removed.map((path) => `rm -f -- "$workdir"/${shellWord(path)}`);
  return `${["#!/bin/bash", "# What the session came to: the files of the commit on which the command passed.", "set -e", folders, ...remove, ...unpack].join("\n")}\n`;
}
