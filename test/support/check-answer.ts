import { isDeepStrictEqual } from "node:util";
import type { Api } from "../../src/contract/api/api.ts";
import { commonErrors, type Operation, type OperationTable } from "../../src/contract/api/operation.ts";
import type { ErrorCode } from "../../src/contract/errors.ts";
import { commandIn, commandOperations, operationsOf, rawCommands, type OperationName } from "./command-operations.ts";

/** Each resource has a file of its own, loaded when something of it is checked: most tests need one or two. */
const tables: Record<keyof Api, () => Promise<OperationTable>> = {
  repository: async () => (await import("../../src/contract/api/repository.ts")).repositoryOperations,
  status: async () => (await import("../../src/contract/api/status.ts")).statusOperations,
  sessions: async () => (await import("../../src/contract/api/session.ts")).sessionOperations,
  codify: async () => (await import("../../src/contract/api/codify.ts")).codifyOperations,
  turns: async () => ({
    ...(await import("../../src/contract/api/turn.ts")).turnOperations,
    ...(await import("../../src/contract/api/turn-execution.ts")).executionOperations,
  }),
  imports: async () => (await import("../../src/contract/api/import.ts")).importOperations,
  inbox: async () => (await import("../../src/contract/api/inbox.ts")).inboxOperations,
  search: async () => (await import("../../src/contract/api/search.ts")).searchOperations,
  learn: async () => (await import("../../src/contract/api/learn.ts")).learnOperations,
  beads: async () => (await import("../../src/contract/api/bead.ts")).beadOperations,
  grimoires: async () => (await import("../../src/contract/api/grimoire.ts")).grimoireOperations,
  spells: async () => (await import("../../src/contract/api/spell.ts")).spellOperations,
  runs: async () => (await import("../../src/contract/api/run.ts")).runOperations,
  agents: async () => (await import("../../src/contract/api/agent.ts")).agentOperations,
  work: async () => (await import("../../src/contract/api/work.ts")).workOperations,
  worktrees: async () => (await import("../../src/contract/api/worktree.ts")).worktreeOperations,
  engines: async () => (await import("../../src/contract/api/engine.ts")).engineOperations,
  evidence: async () => (await import("../../src/contract/api/evidence.ts")).evidenceOperations,
  hooks: async () => (await import("../../src/contract/api/hook.ts")).hookOperations,
  connections: async () => (await import("../../src/contract/api/connection.ts")).connectionOperations,
  policies: async () => (await import("../../src/contract/api/policy.ts")).policyOperations,
  scheduler: async () => (await import("../../src/contract/api/scheduler.ts")).schedulerOperations,
  daemon: async () => (await import("../../src/contract/api/daemon.ts")).daemonOperations,
  config: async () => (await import("../../src/contract/api/config.ts")).configOperations,
  doctor: async () => (await import("../../src/contract/api/doctor.ts")).doctorOperations,
};

/**
 * Throws when a command printed, with `--json`, something else than the responses of its operations: a field that is missing
 * or of another type, one that the table does not know, or an error that none of its operations declares. What was cut off by a
 * signal is not looked at.
 */
export async function checkAnswer(words: readonly string[], stdout: string, code: number | null): Promise<void> {
  const end = words.indexOf("--");
  if (!words.slice(0, end < 0 ? words.length : end).includes("--json") || code === null) return;
  const command = commandIn(words);
  if (command === undefined || rawCommands.includes(command) || words.some((word) => ["--help", "-h"].includes(word)))
    return;
  const names = commandOperations[command]!;
  for (const document of documentsIn(stdout, command)) {
    if (isRefusal(document)) {
      await checkError(words, command, document.error.code);
      continue;
    }
    const complaints = await Promise.all(names.map((name) => complaint(name, document)));
    if (complaints.includes(undefined)) continue;
    const told = names.map((name, at) => `${name}: ${complaints[at]}`).join("\n");
    throw new Error(
      `clew ${words.join(" ").slice(0, 200)} printed what the table does not promise\n${told}\n${JSON.stringify(document).slice(0, 2000)}`,
    );
  }
}

interface Refusal {
  error: { code: ErrorCode };
}

function isRefusal(document: unknown): document is Refusal {
  const { error } = document as Partial<Refusal>;
  return typeof error === "object" && "code" in error && Object.keys(document as object).length === 1;
}

async function checkError(words: readonly string[], command: string, code: ErrorCode): Promise<void> {
  const operations = await Promise.all(operationsOf(command).map(operationNamed));
  const declared: readonly ErrorCode[] = [...commonErrors, ...operations.flatMap(({ errors }) => errors)];
  if (declared.includes(code)) return;
  throw new Error(`clew ${words.join(" ").slice(0, 200)} failed as ${code}, which the table does not promise`);
}

async function operationNamed(name: OperationName): Promise<Operation> {
  return (await tables[resourceOf(name)]())[name.split(".")[1]!]!;
}

function resourceOf(name: OperationName): keyof Api {
  return name.split(".")[0] as keyof Api;
}

/** One document, or one in each line. */
function documentsIn(stdout: string, command: string): unknown[] {
  if (stdout === "") return [];
  let documents: unknown[];
  try {
    documents = [JSON.parse(stdout)];
  } catch {
    documents = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  }
  return documents.flatMap((document) =>
    isSeveral(command, document) ? document.beads.map((bead) => ({ bead, changed: true })) : [document],
  );
}

/** `bead close` and `reopen` ask once for each bead that they are given, and print several of them as one document. */
function isSeveral(command: string, document: unknown): document is { beads: unknown[] } {
  return ["bead close", "bead reopen"].includes(command) && Object.keys(document as object).join() === "beads";
}

/** What is wrong with a document as a response. A schema leaves out what it does not know: that is found by comparing. */
async function complaint(name: OperationName, document: unknown): Promise<string | undefined> {
  const { response } = await operationNamed(name);
  // Some streams answer with several items at once, and print one a line.
  const isList = response._zod.def.type === "array" && !Array.isArray(document);
  const given = isList ? [document] : document;
  const read = response.safeParse(given);
  if (!read.success) return read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  if (!isDeepStrictEqual(read.data, given))
    return `it has fields that are not in the table; known: ${JSON.stringify(read.data).slice(0, 1000)}`;
  return undefined;
}
