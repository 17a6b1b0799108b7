import { readCells, writeCell, writeLine } from "./cell.ts";
import { checksum, type Crc32 } from "./checksum.ts";
import { IndexDamaged } from "./damaged.ts";
import { readTable, type TableForm, writeTable } from "./table.ts";

/** What the manifest says about a shard: enough to skip it, or to read a part of it and know that the part is whole. */
export interface ShardInfo {
  /** Smallest and largest id in it, readable or not. */
  first: string;
  last: string;
  sessions: number;
  unreadable: number;
  inbox: number;
  /** Fingerprint of the set of its ids. */
  idsCheck: string;
  /** The latest `started`; null when no session in it is readable. */
  newest: string | null;
  headBytes: number;
  headCheck: string;
  bytes: number;
  check: string;
  /** All of the above as its line in the manifest, so that a shard that stays the same is not written out again. */
  line: string;
}

const shardTable: TableForm = {
  key: "shards",
  fields: "first,last,sessions,unreadable,inbox,ids_check,newest,head_bytes,head_check,bytes,check",
};

/** A manifest of another format is treated like damage: the index is simply built again. */
const opening = "format: 4\n";

/** The last line is the checksum of all lines above it. `shards` are in ascending order. */
export function renderManifest(shards: ShardInfo[]): Buffer {
  const lines = shards.map((shard) => shard.line);
  const content = Buffer.from(opening + writeTable(shardTable, lines));
  return Buffer.concat([content, Buffer.from(closing(content))]);
}

export function readManifest(bytes: Buffer, crc?: Crc32): ShardInfo[] {
  const end = bytes.lastIndexOf("\ncheck: ") + 1;
  const content = bytes.subarray(0, end);
  if (bytes.toString("latin1", end) !== closing(content, crc))
    throw new IndexDamaged("the manifest fails its checksum");
  const text = content.toString();
  if (!text.startsWith(opening)) throw new IndexDamaged("the manifest has another format");
  return readTable(shardTable, text, opening.length).lines.map(readShardInfo);
}

function closing(content: Buffer, crc?: Crc32): string {
  return `check: ${writeCell(checksum(content, crc))}\n`;
}

export function describeShard(shard: Omit<ShardInfo, "line">): ShardInfo {
  const line = writeLine([
    shard.first,
    shard.last,
    shard.sessions,
    shard.unreadable,
    shard.inbox,
    shard.idsCheck,
    shard.newest,
    shard.headBytes,
    shard.headCheck,
    shard.bytes,
    shard.check,
  ]);
  return { ...shard, line };
}

function readShardInfo(line: string): ShardInfo {
  const cells = readCells(line);
  return {
    first: cells[0] ?? "",
    last: cells[1] ?? "",
    sessions: Number(cells[2]),
    unreadable: Number(cells[3]),
    inbox: Number(cells[4]),
    idsCheck: cells[5] ?? "",
    newest: cells[6] ?? null,
    headBytes: Number(cells[7]),
    headCheck: cells[8] ?? "",
    bytes: Number(cells[9]),
    check: cells[10] ?? "",
    line,
  };
}
