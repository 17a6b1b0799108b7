import type { ImportMemory, KnownTranscript } from "../../app/import/ports.ts";
import type { Disk } from "../files/disk.ts";
import { ifPossible } from "../files/failure.ts";
import { paths, type Layout } from "../layout.ts";

interface MemoryFile {
  version: 2;
  /** Size of the file of counted messages that belongs to this. */
  messages: number;
  /** By a hash of the file's path: names of files are anybody's text, and may hold a secret. */
  files: Record<string, [stamp: string, session: string | null]>;
}

const ownerLine = /^([^\t]+)\t(.*)$/;
const hashBytes = 6;

/** What imports found out, in two files: one that every import reads, and the counted messages, which few need. */
export class ImportMemoryFile implements ImportMemory {
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #files: MemoryFile["files"];
  #messagesSize: number;
  #isChanged = false;
  /** The owner of each message, by the message's hash; loaded when first asked. */
  #owners: Map<number, string> | undefined;
  readonly #counted = new Map<string, number[]>();

  constructor(disk: Disk, layout: Layout) {
    this.#disk = disk;
    this.#layout = layout;
    const { files, messages } = this.#load();
    this.#files = files;
    this.#messagesSize = messages;
  }

  /** Empty when there is none, or when the two files do not belong together. */
  #load(): Pick<MemoryFile, "files" | "messages"> {
    try {
      const memory = JSON.parse(this.#disk.read(paths.imports(this.#layout))?.toString("utf8") ?? "") as MemoryFile;
      const size = this.#disk.stamp(paths.countedMessages(this.#layout))?.size ?? 0;
      if (memory.version === 2 && memory.messages === size) return memory;
    } catch {
      // Everything is looked at again.
    }
    return { files: {}, messages: 0 };
  }

  get isEmpty(): boolean {
    return Object.keys(this.#files).length === 0;
  }

  get(path: string): KnownTranscript | undefined {
    const known = this.#files[nameOf(path)];
    return known && { stamp: known[0], session: known[1] };
  }

  set(path: string, { stamp, session }: KnownTranscript): void {
    this.#files[nameOf(path)] = [stamp, session];
    this.#isChanged = true;
  }

  counts(owner: string, messageId: string): boolean {
    const owners = (this.#owners ??= this.#loadOwners());
    const hash = hashOf(messageId);
    const found = owners.get(hash);
    if (found !== undefined) return found === owner;
    owners.set(hash, owner);
    let list = this.#counted.get(owner);
    if (!list) this.#counted.set(owner, (list = []));
    list.push(hash);
    this.#isChanged = true;
    return true;
  }

  #loadOwners(): Map<number, string> {
    const owners = new Map<number, string>();
    if (this.#messagesSize === 0) return owners;
    const text = this.#disk.read(paths.countedMessages(this.#layout))?.toString("latin1") ?? "";
    for (const line of text.split("\n")) {
      const [, owner, encoded] = ownerLine.exec(line) ?? [];
      if (owner === undefined) continue;
      const bytes = Buffer.from(encoded!, "base64");
      for (let at = 0; at + hashBytes <= bytes.length; at += hashBytes)
        owners.set(bytes.readUIntLE(at, hashBytes), owner);
    }
    return owners;
  }

  save(): void {
    if (!this.#isChanged) return;
    const lines = [...this.#counted].map(([owner, hashes]) => {
      const bytes = Buffer.alloc(hashes.length * hashBytes);
      for (const [at, hash] of hashes.entries()) bytes.writeUIntLE(hash, at * hashBytes, hashBytes);
      return `${owner}\t${bytes.toString("base64")}\n`;
    });
    this.#counted.clear();
    ifPossible(() => {
      const messages = paths.countedMessages(this.#layout);
      this.#disk.makeFolder(paths.stateFolder(this.#layout));
      if (this.#messagesSize === 0) this.#disk.remove(messages);
      if (lines.length > 0) this.#disk.append(messages, Buffer.from(lines.join("")), 0o600);
      const size = this.#disk.stamp(messages)?.size ?? 0;
      this.#messagesSize = size;
      const memory: MemoryFile = { version: 2, messages: size, files: this.#files };
      this.#disk.replaceUnsynced(paths.imports(this.#layout), Buffer.from(JSON.stringify(memory)));
    });
    this.#isChanged = false;
  }
}

/** What a path is remembered by. */
function nameOf(path: string): string {
  return hashOf(path).toString(36);
}

/** 48 bits of a text, from two rounds of FNV-1a. */
function hashOf(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x1505;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = (Math.imul(high, 33) + code) | 0;
  }
  return (low >>> 0) + (high & 0xffff) * 2 ** 32;
}
