import type { HooksApi, SettingsChange, SettingsStanding } from "../../contract/api/hook.ts";
import { ClewError } from "../../contract/errors.ts";
import { hookEngines, type HookEngine, type HookScope } from "../../contract/hook.ts";
import { addHooks, ownEvents, removeHooks, type HookElements } from "../../hook/settings/edit-settings.ts";
import {
  engineElements,
  httpElements,
  httpEngines,
  failingClosed,
  isOwnBlocking,
  isOwnHook,
  isOwnUrl,
  type HttpEngine,
} from "../../hook/settings/engine-hooks.ts";
import { isOwnPlugin, opencodePlugin } from "../../hook/settings/opencode-plugin.ts";
import type { EngineSettingsFiles, SettingsPlace } from "./ports.ts";
import { nameFileInErrors, plannedEdit } from "./settings-edits.ts";

interface Parts {
  files: EngineSettingsFiles;
  /** The program and its first arguments, each as it is. */
  program: readonly string[];
  /** Where the daemon hears of hooks. Throws a ClewError, which says what to do, when none can. */
  daemonUrl: () => Promise<string>;
  /** Makes what a first session needs, so that hooks are heeded in this repository. */
  prepare: () => void;
  /** Whether the policy denies something, so that hooks should block when they fail. */
  isStrict: () => Promise<boolean>;
  /** Throws when an agent or a step asks: what an engine's settings say holds for all of the user's agents. */
  refuseAgents: () => void;
}

interface Wanted {
  engine?: HookEngine | undefined;
  scope?: HookScope | undefined;
  dry_run?: boolean | undefined;
  http?: boolean | undefined;
}

export function hooksApi(parts: Parts): HooksApi {
  const { files, program, prepare } = parts;
  return {
    async install(wanted) {
      parts.refuseAgents();
      if (wanted.http) refuseWithoutHttp(wanted.engine);
      const places = installPlaces(files, wanted);
      const daemonUrl = wanted.http ? await parts.daemonUrl() : undefined;
      const isStrict = await parts.isStrict();
      const changes = places.map((place) =>
        planned(parts, place, (text) => withHooks(place, text, { program, daemonUrl, isStrict })),
      );
      if (!wanted.dry_run) {
        prepare();
        for (const { write } of changes) write();
      }
      return { settings: changes.map(({ change }) => ({ ...change, ...noteFor(change) })) };
    },
    async uninstall(wanted) {
      parts.refuseAgents();
      const engines = wanted.engine ? [wanted.engine] : hookEngines;
      const places = engines.flatMap((engine) => files.places(engine, wanted.scope));
      const changes = places.map((place) => planned(parts, place, (text) => withoutHooks(place, text)));
      if (!wanted.dry_run) for (const { write } of changes) write();
      return { settings: changes.map(({ change }) => change) };
    },
    async status({ engine, scope }) {
      const places = (engine ? [engine] : hookEngines).flatMap((each) => files.places(each, scope));
      const isStrict = await parts.isStrict();
      return { settings: places.map((place) => standingOf(parts, place, isStrict)) };
    },
  };
}

function refuseWithoutHttp(engine: HookEngine | undefined): void {
  if (engine === undefined || httpEngines.some((each) => each === engine)) return;
  const hint = `leave out --http, or take --engine ${httpEngines.join("|")}`;
  throw new ClewError("invalid_input", `${engine} calls no hooks over HTTP`, hint);
}

/** Where hooks go when less is said: for engines that are installed, as near to this checkout as the engine has it. */
function installPlaces(files: EngineSettingsFiles, { engine, scope, http }: Wanted): SettingsPlace[] {
  const engines = engine ? [engine] : (http ? httpEngines : hookEngines).filter((each) => files.isInstalled(each));
  if (engines.length === 0) {
    const hint = `say which: --engine ${hookEngines.join("|")}`;
    throw new ClewError("unknown_engine", "no engine that calls hooks is installed on this machine", hint);
  }
  return engines.flatMap((each) => {
    const places = files.places(each, scope);
    if (places.length === 0 && engine)
      throw new ClewError(
        "invalid_input",
        `${each} has no settings of scope ${scope}`,
        "--scope project or --scope user",
      );
    return places.slice(0, 1);
  });
}

interface Planned {
  change: SettingsChange;
  write: () => void;
}

function planned(
  { files }: Parts,
  place: SettingsPlace,
  edit: (text: string | undefined) => string | undefined,
): Planned {
  const { write, ...change } = plannedEdit(files, place, edit);
  return { change: { ...place, ...change }, write };
}

export function withHooks(
  { engine }: SettingsPlace,
  text: string | undefined,
  { program, daemonUrl, isStrict }: { program: readonly string[]; daemonUrl?: string | undefined; isStrict: boolean },
): string {
  const ours = (elements: HookElements): HookElements =>
    isStrict && engine === "claude" ? failingClosed(elements) : elements;
  if (daemonUrl !== undefined) {
    const others = text === undefined ? undefined : removeHooks(text, isOwnHook);
    return addHooks(others, ours(httpElements(engine as HttpEngine, daemonUrl, program)), isOwnHook);
  }
  if (engine !== "opencode") {
    const isHttp = text !== undefined && ownEvents(text, isOwnUrl).length > 0;
    const isOther = isHttp || (text !== undefined && failsOtherwise(engine, text, isStrict));
    return addHooks(isOther ? removeHooks(text, isOwnHook) : text, ours(engineElements(engine, program)), isOwnHook);
  }
  if (text !== undefined && !isOwnPlugin(text)) throw new Error("it is a plugin of somebody else");
  return opencodePlugin(program);
}

/** Whether the hook before a tool call does something else when it fails than it should. */
function failsOtherwise(engine: HookEngine, text: string, isStrict: boolean): boolean {
  if (engine !== "claude" || !ownEvents(text, isOwnHook).includes("PreToolUse")) return false;
  return ownEvents(text, isOwnBlocking).includes("PreToolUse") !== isStrict;
}

export function withoutHooks({ engine }: SettingsPlace, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (engine !== "opencode") return removeHooks(text, isOwnHook);
  return isOwnPlugin(text) ? undefined : text;
}

function standingOf({ files, program }: Parts, place: SettingsPlace, isStrict: boolean): SettingsStanding {
  try {
    const text = files.read(place);
    const events = text === undefined ? [] : nameFileInErrors(place, () => eventsIn(place, text));
    const count = place.engine === "opencode" ? 1 : engineElements(place.engine, program).size;
    const lacksBlock = isStrict && text !== undefined && failsOtherwise(place.engine, text, isStrict);
    const isPart = events.length < count || lacksBlock;
    const status = events.length === 0 ? "none" : isPart ? "partly" : "installed";
    return { ...place, status, events, ...(lacksBlock && { problem: opensOnFailure }) };
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    return { ...place, status: "unreadable", events: [], problem: error.message };
  }
}

const opensOnFailure =
  'a tool is used when the hook fails, and the policy denies some: clew hooks install adds "onFailure": "block"';

export function eventsIn({ engine }: SettingsPlace, text: string): string[] {
  if (engine !== "opencode") return ownEvents(text, isOwnHook);
  return isOwnPlugin(text) ? ["plugin"] : [];
}

/** Codex runs no hook that a person has not looked at. */
export function noteFor({ engine, change }: SettingsChange): { note?: string } {
  if (engine !== "codex" || change === "none") return {};
  return { note: "codex skips hooks in silence until you trust them: open codex and call /hooks" };
}
