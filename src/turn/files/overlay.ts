/** What a path holds: its text, nothing, or why it is not read or written. */
export type FileText = string | undefined | { refused: string };

/** Reads a file below the root. Paths have slashes. */
export type FileReader = (path: string) => FileText;

/** A file before and after; `before` is undefined where there is none. */
export interface FileEdit {
  path: string;
  before: string | undefined;
  after: string;
}

/** Files as they will be: what was written here lies over what the reader finds. Each file is read once. */
export class Overlay {
  readonly #read: FileReader;
  readonly #originals = new Map<string, FileText>();
  readonly #written = new Map<string, string>();

  constructor(read: FileReader) {
    this.#read = read;
  }

  read(path: string): FileText {
    return this.#written.get(path) ?? this.#original(path);
  }

  /** The reader's refusal of a path must have been looked at before. */
  write(path: string, text: string): void {
    this.#written.set(path, text);
  }

  /** All that differs from what the reader found, in the order of the first write. */
  edits(): FileEdit[] {
    return [...this.#written].flatMap(([path, after]) => {
      const original = this.#original(path);
      const before = typeof original === "object" ? undefined : original;
      return before === after ? [] : [{ path, before, after }];
    });
  }

  #original(path: string): FileText {
    if (!this.#originals.has(path)) this.#originals.set(path, this.#read(path));
    return this.#originals.get(path);
  }
}
