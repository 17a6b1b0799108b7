export function withoutSuffix(name: string, suffix: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** The id if it can name a file on every disk, also a case-insensitive one; else a hash of it. */
export function beadFileName(bead: string): string {
  if (/^[a-z0-9][a-z0-9.-]{0,99}$/.test(bead)) return bead;
  return sha256Of(bead);
}

/** Loading it takes longer than the rest of many a command, and few ids need it. */
export function sha256Of(text: string | Uint8Array): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}
