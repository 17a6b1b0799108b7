/** The fields of what git printed with `-z`, or with another separator. Leaves empty fields out. */
export function splitFields(stdout: Buffer, separator = "\0"): string[] {
  return stdout.toString("utf8").split(separator).filter(Boolean);
}
