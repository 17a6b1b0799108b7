/** A rendered script before its holes are placed: text of the template, and a hole where an action prints. */
export type ScriptPiece =
  | { kind: "text"; text: string }
  /** `source` is the action as its author wrote it, `{{.bead.title}}`: messages name it. */
  | { kind: "hole"; id: number; source: string }
  /** Text that only people see. It has no width for the shell, and such a script is never run. */
  | { kind: "marker"; text: string };

/** Where a hole stands, which decides how its value is written there. */
export type HolePlace = "bare" | "double quotes" | "single quotes" | "here-document" | "comment";

/** Why a value cannot stand where its hole is. Lines count from 1 in the rendered script. */
export interface ShellProblem {
  hole: number;
  line: number;
  message: string;
  hint: string;
}

/** A here-document around a hole. */
export interface EnclosingDocument {
  delimiter: string;
  stripTabs: boolean;
}

export type PlacedPart =
  | { kind: "text"; text: string }
  /** `within`: here-documents around it, whose lines a value must not end or change when it is written out. */
  | { kind: "hole"; id: number; place: HolePlace; within: readonly EnclosingDocument[] }
  | { kind: "marker"; text: string };

/** A script whose holes know their places. Quoted here-documents with holes are already rewritten as unquoted ones. */
export interface PlacedScript {
  parts: PlacedPart[];
}
