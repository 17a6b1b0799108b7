/** The name under which git would store these bytes. */
export function gitBlobName(bytes: Uint8Array): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
