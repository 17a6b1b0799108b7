import type { FileAction } from "../../../contract/plan.ts";
import { applyAction, tryAction, type ActionOutcome } from "../../../turn/files/apply-action.ts";
import { Overlay, type FileText } from "../../../turn/files/overlay.ts";
import type { FileContent, FileState, FileWrite, WorkFiles } from "./ports.ts";

/** The files as they will be: what was approved and is not written yet lies over what stands on the disk. */
export class PlannedFiles {
  readonly #files: WorkFiles;
  readonly #sha256: (bytes: Uint8Array) => string;
  readonly #states = new Map<string, FileState>();
  readonly #overlay: Overlay;
  /** Paths as disks see them that know no case, by which new files are told apart. */
  readonly #folded = new Map<string, string>();

  constructor(files: WorkFiles, sha256: (bytes: Uint8Array) => string) {
    this.#files = files;
    this.#sha256 = sha256;
    this.#overlay = new Overlay((path) => this.#textAt(path));
  }

  try(action: FileAction): ActionOutcome {
    const other = this.#folded.get(fold(action.path));
    if (other !== undefined && other !== action.path)
      return { refusals: [{ line: action.line, reason: `${action.path} differs only in case from ${other}` }] };
    return tryAction(this.#overlay, action);
  }

  apply(action: FileAction): ActionOutcome {
    const outcome = this.try(action);
    if ("refusals" in outcome) return outcome;
    this.#folded.set(fold(action.path), action.path);
    return applyAction(this.#overlay, action);
  }

  /** All that is to be written. Each file must still be as it was when it was first looked at. */
  writes(): FileWrite[] {
    return this.#overlay.edits().map(({ path, after }) => {
      const state = this.#states.get(path);
      const before: FileContent | null = state?.kind === "file" ? state : null;
      const bytes = new TextEncoder().encode(after);
      const mode = before?.mode ?? this.#files.newFileMode;
      return { path, before, after: { bytes, sha256: this.#sha256(bytes), mode } };
    });
  }

  #textAt(path: string): FileText {
    const state = this.#files.look(path);
    this.#states.set(path, state);
    if (state.kind === "missing") return undefined;
    if (state.kind === "refused") return { refused: `${path} ${state.reason}` };
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(state.bytes);
    } catch {
      return { refused: `${path} is no text in UTF-8` };
    }
  }
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
