import type { ConnectionChange, ConnectionsApi, ConnectionStanding } from "../../contract/api/connection.ts";
import { ClewError } from "../../contract/errors.ts";
import {
  connectionParts,
  hookEngines,
  type ConnectionPart,
  type HookEngine,
  type HookScope,
} from "../../contract/hook.ts";
import { engineServers } from "../../hook/settings/engine-servers.ts";
import { eventsIn, noteFor, withHooks, withoutHooks } from "./install.ts";
import type { EngineSettingsFiles, SettingsPlace } from "./ports.ts";
import { nameFileInErrors, plannedEdit, type PlannedEdit } from "./settings-edits.ts";

interface Parts {
  files: EngineSettingsFiles;
  /** The program and its first arguments, each as it is. */
  program: readonly string[];
  /** Makes what a first session needs, so that hooks are heeded in this repository. */
  prepare: () => void;
  /** Whether the policy denies something, so that hooks should block when they fail. */
  isStrict: () => Promise<boolean>;
  /** Throws when an agent or a step asks: what an engine's settings say holds for all of the user's agents. */
  refuseAgents: () => void;
}

interface Wanted {
  parts: readonly ConnectionPart[];
  engine?: HookEngine | undefined;
  scope?: HookScope | undefined;
}

/** A file, with what of ours is to go in or out. Some engines have both parts in one file. */
interface ConnectionFile {
  place: SettingsPlace;
  parts: ConnectionPart[];
}

/** Hooks and the MCP server in the settings of engines. */
export function connectionsApi({ files, program, prepare, isStrict, refuseAgents }: Parts): ConnectionsApi {
  return {
    async install(wanted) {
      refuseAgents();
      const hooks = { program, isStrict: await isStrict() };
      const changes = installFiles(files, wanted).map(({ place, parts }) => {
        const edit = plannedEdit(files, place, (text) => withParts(place, parts, text, hooks));
        return { edit, change: changeOf({ place, parts }, edit, installNotes(place, parts, edit)) };
      });
      if (!wanted.dry_run) {
        prepare();
        for (const { edit } of changes) edit.write();
      }
      return { settings: changes.map(({ change }) => change) };
    },
    async uninstall(wanted) {
      refuseAgents();
      const changes = filesOf(files, wanted).map((file) => plannedRemoval(files, file));
      if (!wanted.dry_run) for (const { edit } of changes) edit?.write();
      return { settings: changes.map(({ change }) => change) };
    },
    async status(wanted) {
      return { settings: filesOf(files, wanted).map((file) => standingOf(files, file)) };
    },
  };
}

/** All files of these engines that can have these parts. */
function filesOf(files: EngineSettingsFiles, { parts, engine, scope }: Wanted): ConnectionFile[] {
  return (engine ? [engine] : hookEngines).flatMap((each) =>
    grouped(parts, (part) => placesOf(files, part, each, scope)),
  );
}

/** Without a scope, each part goes where it is nearest to this checkout; without an engine, to those that are installed. */
function installFiles(files: EngineSettingsFiles, { parts, engine, scope }: Wanted): ConnectionFile[] {
  const engines = engine ? [engine] : hookEngines.filter((each) => files.isInstalled(each));
  if (engines.length === 0) {
    const hint = `say which: --engine ${hookEngines.join("|")}`;
    throw new ClewError("unknown_engine", "no engine that Clew knows is installed on this machine", hint);
  }
  return engines.flatMap((each) => {
    const found = grouped(parts, (part) => placesOf(files, part, each, scope).slice(0, 1));
    if (found.length > 0 || !engine) return found;
    const message = `${each} has no settings of scope ${scope} for this`;
    throw new ClewError("invalid_input", message, "--scope project or --scope user");
  });
}

function placesOf(
  files: EngineSettingsFiles,
  part: ConnectionPart,
  engine: HookEngine,
  scope: HookScope | undefined,
): SettingsPlace[] {
  return part === "hooks" ? files.places(engine, scope) : files.serverPlaces(engine, scope);
}

/** Each file once, with all that goes into it, in the order of `connectionParts`. */
function grouped(
  parts: readonly ConnectionPart[],
  placesFor: (part: ConnectionPart) => SettingsPlace[],
): ConnectionFile[] {
  const found = new Map<string, ConnectionFile>();
  for (const part of connectionParts.filter((each) => parts.includes(each)))
    for (const place of placesFor(part)) {
      const known = found.get(place.path);
      if (known) known.parts.push(part);
      else found.set(place.path, { place, parts: [part] });
    }
  return [...found.values()];
}

function withParts(
  place: SettingsPlace,
  parts: readonly ConnectionPart[],
  text: string | undefined,
  hooks: { program: readonly string[]; isStrict: boolean },
): string | undefined {
  return parts.reduce<string | undefined>(
    (settings, part) =>
      part === "hooks"
        ? withHooks(place, settings, hooks)
        : engineServers[place.engine].add(settings, [...hooks.program, "mcp"]),
    text,
  );
}

/** In the order opposite to that in which they came. */
function withoutParts(
  place: SettingsPlace,
  parts: readonly ConnectionPart[],
  text: string | undefined,
): string | undefined {
  return parts.toReversed().reduce((settings, part) => {
    if (settings === undefined) return undefined;
    return part === "hooks" ? withoutHooks(place, settings) : engineServers[place.engine].remove(settings);
  }, text);
}

function changeOf({ place, parts }: ConnectionFile, edit: PlannedEdit | undefined, notes: string[]): ConnectionChange {
  return { ...place, parts, change: edit?.change ?? "none", diff: edit?.diff ?? [], notes };
}

/** A file that cannot be read has nothing of ours that could be taken out, and does not keep the others from it. */
function plannedRemoval(
  files: EngineSettingsFiles,
  file: ConnectionFile,
): { edit: PlannedEdit | undefined; change: ConnectionChange } {
  try {
    const edit = plannedEdit(files, file.place, (text) => withoutParts(file.place, file.parts, text));
    return { edit, change: changeOf(file, edit, []) };
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    return { edit: undefined, change: changeOf(file, undefined, [error.message]) };
  }
}

function standingOf(files: EngineSettingsFiles, { place, parts }: ConnectionFile): ConnectionStanding {
  try {
    const text = files.read(place);
    const has = (part: ConnectionPart): boolean =>
      text !== undefined &&
      nameFileInErrors(place, () =>
        part === "hooks" ? eventsIn(place, text).length > 0 : engineServers[place.engine].has(text),
      );
    const found = parts.filter(has);
    return { ...place, parts: found, status: found.length > 0 ? "installed" : "none" };
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    return { ...place, parts: [], status: "unreadable", problem: error.message };
  }
}

/** What a person has still to do. */
function installNotes(place: SettingsPlace, parts: readonly ConnectionPart[], { change }: PlannedEdit): string[] {
  if (change === "none") return [];
  const hookNotes = parts.includes("hooks") ? Object.values(noteFor({ ...place, change, diff: [] })) : [];
  const isShared = parts.includes("mcp") && place.scope === "project";
  const note = isShared ? serverNotes[place.engine] : undefined;
  return [...hookNotes, ...(note === undefined ? [] : [note])];
}

const serverNotes: Partial<Record<HookEngine, string>> = {
  claude: "claude asks you at its next start whether to use the server of .mcp.json",
  codex: "codex reads the settings of a project only where you trust it: it asks when you open it here",
};
