import type { Grimoire } from "../../contract/grimoire.ts";

/** Where a grimoire or spell comes from. `file`: named by its path, wherever it stands. */
export type Origin = "repository" | "built-in" | "file";

export interface DefinitionFile {
  origin: Origin;
  /** As a person knows it: below the repository's root, or as it was named. */
  file: string;
  text: string;
  /** The grimoire in it, as the build has read it. */
  readByBuild?: () => Grimoire | undefined;
  /** Why the file could not be read; its text is then empty. */
  unreadable?: string;
}

/** The grimoires, spells and agents of the repository over the built-in ones. Nothing outside their folders is read. */
export interface DefinitionFiles {
  /** All files, those of the repository first; built-in ones also where the repository has one of the same name. */
  grimoires(): DefinitionFile[];
  /** A spell or partial by its file's name below the spells folder, such as `review.md`. */
  spell(name: string): DefinitionFile | undefined;
  spellNames(): string[];
  /** The file of an agent, by its name without the ending. Only the repository has them. */
  agent(name: string): DefinitionFile | undefined;
  agentNames(): string[];
  /** The file of an agent that plans turns: of the repository, or built in. */
  planningAgent(name: string): DefinitionFile | undefined;
  planningAgentNames(): string[];
  /** A file that the user named; undefined when there is none. */
  atPath(path: string): DefinitionFile | undefined;
  /** The files that may be grimoires beside a path that the user named, as they would be named. */
  besidePath(path: string): string[];
  /** A file by the name it is shown under: below the repository's root, or in full. */
  byDisplayName(file: string): DefinitionFile | undefined;
}
