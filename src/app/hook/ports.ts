import type { HookEngine, HookScope } from "../../contract/hook.ts";
import type { ImportedEngine } from "../../contract/import-values.ts";
import type { Redacted } from "../../contract/redacted.ts";

/** Where calls of hooks are kept. Each is on disk when its function returns; they throw when it is not. */
export interface HookFiles {
  /** For one engine session of an agent that the user started. */
  spool(engine: string, session: string, line: Redacted<string>): void;
  /** For the run or the session of an agent that Clew started. */
  evidence(owner: string, line: Redacted<string>): void;
}

/** The agent of Clew's that calls, by the marks in its environment. */
export interface MarkedCaller {
  owner: string;
  step: string | null;
}

/** An engine session that told something, and may tell more. */
export interface OpenSpool {
  engine: ImportedEngine;
  session: string;
  path: string;
  bytes: number;
  /** When it was last written. */
  writtenMs: number;
  /** What the last look left: how much of it a session has, and which; nothing when none was. */
  taken: { bytes: number; session: string | null } | undefined;
}

/** What the last and first lines of a spool tell. */
export interface SpoolStanding {
  /** Its last event says that the engine session is over. */
  isOver: boolean;
  /** The engine's own transcript, as the first line names it: it may not be there yet. */
  transcript: string | undefined;
  beganMs: number;
}

/** The engine sessions of agents that the user started, as their hooks told of them. */
export interface HookSpools {
  /** Those that may have told what no session has. One look into a folder when there are none. */
  open(): OpenSpool[];
  standing(spool: OpenSpool): SpoolStanding;
  /** Remembers what a session has of it. */
  note(spool: OpenSpool, taken: NonNullable<OpenSpool["taken"]>): void;
  /** No session lacks anything of it. Its next line opens it again. */
  close(spool: OpenSpool): void;
  /** Forgets all that was told: its session was deleted. */
  remove(spool: OpenSpool): void;
  /** The session that was made of an engine session; undefined when none is known. */
  sessionOf(engine: string, session: string): string | undefined;
  /** Whether a transcript may be about to be written: the folder for it is there. */
  mayBeWritten(transcript: string): boolean;
}

/** A file of an engine's settings. */
export interface SettingsPlace {
  engine: HookEngine;
  scope: HookScope;
  path: string;
}

export interface EngineSettingsFiles {
  /** The files with an engine's hooks, of one scope or all, from the nearest to this checkout on. */
  places(engine: HookEngine, scope: HookScope | undefined): SettingsPlace[];
  /** The same for those with its MCP servers. */
  serverPlaces(engine: HookEngine, scope: HookScope | undefined): SettingsPlace[];
  /** Whether the engine is installed on this machine. */
  isInstalled(engine: HookEngine): boolean;
  /** Undefined when there is none. Throws for what is no plain file, is too long, or no UTF-8. */
  read(place: SettingsPlace): string | undefined;
  /** Puts a text in the place of another at once; undefined removes the file. Throws when another text stands there by now. */
  replace(place: SettingsPlace, before: string | undefined, after: string | undefined): void;
}
