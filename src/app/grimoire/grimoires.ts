import { chooseGrimoire, type GrimoireChoice } from "../../bead/choose-grimoire.ts";
import type { Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { defaultTimeoutsMs, landsWork, type Grimoire, type Json } from "../../contract/grimoire.ts";
import type { Preview } from "../../contract/preview.ts";
import type { Problem } from "../../contract/problem.ts";
import type { PinnedRun, RunSettings } from "../../contract/pinned-run.ts";
import { nearest } from "../../text/nearest.ts";
import { Findings } from "../../grimoire/preview/findings.ts";
import { previewSteps } from "../../grimoire/preview/preview-steps.ts";
import { pinSpells } from "../../grimoire/spell/pin-spells.ts";
import { Spells } from "../../grimoire/spell/spells.ts";
import { workflowNameOf } from "../../grimoire/markup/workflow-file.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { resolveBead, unknownBead } from "../bead/find.ts";
import type { BeadReader } from "../bead/ports.ts";
import { agentsOf, validateAgents, type AgentParts, type AgentsOfGrimoire } from "./agents.ts";
import { changedDefinitions, type ChangedDefinition } from "./changed-definitions.ts";
import { errorList } from "./error-list.ts";
import type { DefinitionFile, DefinitionFiles } from "./ports.ts";
import { baseName, grimoireNameIn, isMarkup, readFile } from "./read-file.ts";
import type { CheckedGrimoire, ListedGrimoire, GrimoireDetails, RunRequest } from "../../contract/api/grimoire.ts";
import { startRefusals, type Candidate, type StartRules } from "../run/refusals.ts";
import { withEngine } from "../run/settings.ts";

/** What a run takes of its definition, once, at its start. */
export type RunDefinition = Pick<PinnedRun, "bead" | "grimoire" | "grimoire_file" | "spells" | "agents" | "channels">;

export interface GrimoireParts extends AgentParts {
  files: DefinitionFiles;
  /** Opened when a bead is named: a program may have to be asked. Undefined outside a repository. */
  beads: (() => Promise<BeadReader>) | undefined;
  choice: () => Promise<GrimoireChoice>;
  /** What is asked before a run begins, and what it would be pinned to. */
  start: () => Promise<{ rules: StartRules; settings: RunSettings }>;
}

// Grimoires before anything runs: found, checked, previewed. Nothing here starts a process or writes a file.

export async function listGrimoires(parts: GrimoireParts): Promise<ListedGrimoire[]> {
  const names = new Set<string>();
  const rows: ListedGrimoire[] = [];
  const all = parts.files.grimoires();
  for (const file of all) {
    const { grimoire } = await readFile(file);
    const name = grimoireNameIn(file);
    // What comes with the program was checked when it was built.
    const { problems } = file.readByBuild && grimoire ? { problems: [] } : await checkFile(parts, file, all);
    rows.push({
      name,
      origin: file.origin,
      file: file.file,
      ...(grimoire && { description: grimoire.description, steps: grimoire.steps.length }),
      errors: errorsIn(problems),
      overridden: names.has(name),
    });
    names.add(name);
  }
  return rows;
}

/** A grimoire as it is written, and as it is understood when nothing is wrong with it. */
export async function showGrimoire(parts: GrimoireParts, target: string): Promise<GrimoireDetails> {
  const file = findFile(parts, target);
  const { grimoire } = await readFile(file);
  return {
    name: grimoireNameIn(file),
    origin: file.origin,
    file: file.file,
    text: file.text,
    ...(grimoire && { grimoire }),
  };
}

/** The file of a grimoire, by name or path. */
export function findFile(parts: GrimoireParts, target: string): DefinitionFile {
  return isPath(target) ? fileAtPath(parts, target) : fileByName(parts, target);
}

/** By its name alone: what a bead or a setting asks for is never a path. */
function fileByName(parts: GrimoireParts, target: string, because = ""): DefinitionFile {
  const all = parts.files.grimoires();
  const [first, second] = all.filter((file) => grimoireNameIn(file) === target);
  if (first && second && first.origin === second.origin) {
    throw new ClewError(
      "invalid_grimoire",
      `${first.file} and ${second.file} both say name: ${target}`,
      "give one of them another name",
    );
  }
  if (first) return first;
  const names = [...new Set(all.map(grimoireNameIn))];
  const suggestion = nearest(target, names);
  throw new ClewError(
    "unknown_grimoire",
    `there is no grimoire ${target}${because}`,
    suggestion === undefined
      ? `there are ${names.join(", ")}; clew grimoire list shows them`
      : `did you mean ${suggestion}?`,
  );
}

/** Checks one, by name or path, or all that the repository and the program have. */
export async function validateGrimoires(parts: GrimoireParts, target?: string): Promise<CheckedGrimoire[]> {
  const all = parts.files.grimoires();
  const checked: CheckedGrimoire[] = [];
  for (const file of target === undefined ? all : [findFile(parts, target)]) {
    const check = await checkFile(parts, file, all);
    checked.push({ name: grimoireNameIn(file), file: file.file, ...check, valid: errorsIn(check.problems) === 0 });
  }
  if (target !== undefined) return checked;
  const reported = new Set(checked.flatMap(({ problems }) => problems.map(({ file }) => file)));
  return [...checked, ...(await validateAgents(parts)).filter(({ file }) => !reported.has(file))];
}

/** What is wrong with the text of a grimoire that is no file yet. */
export async function problemsOfText(parts: GrimoireParts, file: string, text: string): Promise<Problem[]> {
  return (await checkFile(parts, { origin: "file", file, text }, [])).problems;
}

async function checkFile(
  parts: GrimoireParts,
  file: DefinitionFile,
  all: DefinitionFile[],
): Promise<Pick<CheckedGrimoire, "problems" | "lands">> {
  const { preview } = await previewFile(parts, file, {
    bead: undefined,
    variables: {},
    engine: undefined,
    checksEngines: true,
  });
  const { problems, lands } = preview;
  return { problems: [...problems, ...checkFileName(file, all)], ...(lands !== undefined && { lands }) };
}

/** What a run would do, and what it would be refused for. */
export async function previewRun(parts: GrimoireParts, request: RunRequest): Promise<Preview> {
  const { variables } = request;
  const beads = await openBeads(parts);
  const bead = beads.find(resolveBead(beads, request.bead))!;
  const { file, because } = await chooseFile(parts, request, bead);
  const { preview, grimoire, agents } = await previewFile(parts, file, {
    bead,
    variables,
    engine: request.engine,
    checksEngines: true,
  });
  const { rules, settings: set } = await parts.start();
  const settings = withEngine(set, request.engine);
  const candidate: Candidate = { ...request, grimoireName: request.grimoire, bead, grimoire, agents, settings };
  const refusals = await startRefusals(candidate, rules);
  return {
    ...preview,
    ...(because !== undefined && { because }),
    refusals,
    valid: preview.valid && refusals.length === 0,
  };
}

/** What a run is made of, checked as in a preview. Throws when something is wrong; a preview tells the ways on, too. */
export async function definitionForRun(parts: GrimoireParts, request: RunRequest): Promise<RunDefinition> {
  const { bead: beadId, variables } = request;
  const beads = await openBeads(parts);
  const bead = beads.find(beadId);
  // Only the id itself: the claim is already made by it.
  if (!bead) throw unknownBead(beadId, beads.ids(), beads.place);
  const { file } = await chooseFile(parts, request, bead);
  const { preview, grimoire, agents, channels } = await previewFile(parts, file, {
    bead,
    variables,
    engine: request.engine,
  });
  const { problems } = preview;
  if (errorsIn(problems) > 0 || !grimoire) {
    throw new ClewError(
      "invalid_grimoire",
      errorList(problems),
      `clew grimoire preview ${request.grimoire ?? grimoireNameIn(file)} --bead ${beadId} shows everything that is wrong`,
    );
  }
  const spells = pinSpells(grimoire, parts.files);
  const definition = { bead, grimoire, grimoire_file: file.file, spells, ...(channels && { channels }) };
  return Object.keys(agents).length > 0 ? { ...definition, agents } : definition;
}

/** Files that say something else than a run that was started with them. */
export async function filesChangedSince(parts: GrimoireParts, pinned: RunDefinition): Promise<ChangedDefinition[]> {
  const { files } = parts;
  const { redact } = (await parts.start()).rules;
  const { name } = pinned.grimoire;
  const isOnShelf = /^(?:\.clew|built-in)\/grimoires\//.test(pinned.grimoire_file);
  const current = isOnShelf
    ? files.grimoires().find((each) => grimoireNameIn(each) === name)
    : files.byDisplayName(pinned.grimoire_file);
  const grimoire = current && (await readFile(current)).grimoire;
  const { agents } = await agentsOf(parts, pinned.grimoire);
  return changedDefinitions(pinned, {
    file: current?.file ?? pinned.grimoire_file,
    isGone: !current,
    grimoire: redactValue(grimoire, redact) as unknown as Json | undefined,
    spell(each) {
      const spell = files.spell(each);
      return spell && { file: spell.file, text: redactValue(spell.text, redact) };
    },
    agents: redactValue(agents, redact),
  });
}

/** The grimoire that is asked for; when none is, the bead decides. */
async function chooseFile(
  parts: GrimoireParts,
  { grimoire }: RunRequest,
  bead: Bead,
): Promise<{ file: DefinitionFile; because?: string }> {
  if (grimoire !== undefined) return { file: findFile(parts, grimoire) };
  const { name, because } = chooseGrimoire(bead, await parts.choice());
  return { file: fileByName(parts, name, ` (${because})`), because };
}

interface PreviewedFile extends Pick<AgentsOfGrimoire, "agents">, Pick<RunDefinition, "channels"> {
  preview: Preview;
  grimoire: Grimoire | undefined;
}

async function previewFile(
  parts: GrimoireParts,
  file: DefinitionFile,
  request: Pick<RunRequest, "variables" | "engine"> & { bead: Bead | undefined; checksEngines?: boolean },
): Promise<PreviewedFile> {
  const { bead, variables, engine } = request;
  const { grimoire, draft, isPartial = true, channels, problems, places } = await readFile(file);
  const findings = new Findings(file.file);
  const spells = new Spells(parts.files);
  const source = grimoire ?? draft ?? { steps: [] };
  // The engine of the command goes before those of agents' files.
  const engines = request.checksEngines ? await parts.engines() : undefined;
  const engineNames = engine === undefined ? engines?.names : undefined;
  const { agents, problems: agentProblems } = await agentsOf(parts, source, engineNames);
  const agentNames = parts.files.agentNames();
  const subject = { bead, variables, spells, findings, agents, agentNames, engine, engines };
  const steps = grimoire ? previewSteps({ ...subject, grimoire }) : [];
  if (draft) previewSteps({ ...subject, grimoire: draft, isDraft: isPartial });
  if (!findings.isEmpty) problems.push(...findings.problems(await places()));
  problems.push(...agentProblems);
  const { description = "", timeout_ms = defaultTimeoutsMs.run } = grimoire ?? {};
  const preview: Preview = {
    grimoire: { name: grimoireNameIn(file), description, origin: file.origin, file: file.file, timeout_ms },
    bead: bead ?? null,
    variables,
    steps,
    problems,
    refusals: [],
    ...(grimoire && { lands: landsWork(grimoire) }),
    valid: errorsIn(problems) === 0,
  };
  return { preview, grimoire, agents, ...(channels && { channels }) };
}

function fileAtPath({ files }: GrimoireParts, path: string): DefinitionFile {
  const file = files.atPath(path);
  if (file) return file;
  const near =
    nearest(path, files.besidePath(path)) ?? nearest(baseName({ file: path }), files.grimoires().map(grimoireNameIn));
  const hint = near === undefined ? "clew grimoire list shows names" : `did you mean ${near}?`;
  throw new ClewError("unknown_grimoire", `there is no file ${path}`, hint);
}

async function openBeads(parts: GrimoireParts): Promise<BeadReader> {
  const beads = await parts.beads?.();
  if (beads) return beads;
  throw new ClewError("not_a_repository", "beads live in a git repository", "go to your project first");
}

/** What has a slash or an ending is a file; names have neither. */
function isPath(target: string): boolean {
  return /[./]/.test(target);
}

/** A name that another file of the repository has, or that the file itself does not bear. */
function checkFileName(file: DefinitionFile, all: DefinitionFile[]): Problem[] {
  if (file.origin !== "repository") return [];
  const name = grimoireNameIn(file);
  const place = { file: file.file, line: 1, column: 1 };
  const same = all.find(
    (other) => other.origin === file.origin && other.file !== file.file && grimoireNameIn(other) === name,
  );
  if (same) {
    const message = `${same.file} says name: ${name} too`;
    return [{ severity: "error", ...place, message, hint: "give one of them another name" }];
  }
  const isNamedSo = isMarkup(file) ? workflowNameOf(file.file) === name : baseName(file) === name;
  if (isNamedSo) return [];
  const hint = `call the file ${name}${isMarkup(file) ? ".md" : ".yaml"}, or change its name`;
  return [{ severity: "warning", ...place, message: `the file is called otherwise than its grimoire, ${name}`, hint }];
}

function errorsIn(problems: Problem[]): number {
  return problems.filter(({ severity }) => severity === "error").length;
}
