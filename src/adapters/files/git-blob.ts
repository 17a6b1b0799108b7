/** The name under which git would store these bytes. */
export function gitBlobName(bytes: Uint8Array, algorithm: "sha1" | "sha256" = "sha1"): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
