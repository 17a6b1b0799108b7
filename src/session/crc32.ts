/**
 * CRC-32 as zlib has it. Written out because loading `node:zlib`, with the streams it brings along, takes longer than
 * checking all that most commands read; eight bytes a turn keep it near zlib's own speed.
 */
export function crc32(data: Uint8Array | string, before = 0): number {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    crc =
      tables[1792 + (low & 255)]! ^
      tables[1536 + ((low >>> 8) & 255)]! ^
      tables[1280 + ((low >>> 16) & 255)]! ^
      tables[1024 + (low >>> 24)]! ^
      tables[768 + bytes[at + 4]!]! ^
      tables[512 + bytes[at + 5]!]! ^
      tables[256 + bytes[at + 6]!]! ^
      tables[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = tables[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Eight tables of 256: what a byte adds when it stands 0 to 7 places further on. */
const tables = makeTables();

function makeTables(): Int32Array {
  const entries = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    entries[byte] = crc;
  }
  for (let at = 256; at < entries.length; at++)
    entries[at] = entries[entries[at - 256]! & 255]! ^ (entries[at - 256]! >>> 8);
  return entries;
}
