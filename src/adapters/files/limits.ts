const mib = 1024 * 1024;

/** Maximum sizes of files that Clew reads as a whole. Longer ones are refused by name, before they fill the memory. */
export const limits = {
  /** Files without a limit of their own. */
  file: 256 * mib,
  /** session.md. */
  record: 256 * mib,
  /** A write-ahead copy holds more than its session; it must still fit into one string. */
  copy: 480 * mib,
  /** results.jsonl; more is not kept. */
  results: 256 * mib,
  /** Settings, grimoires and spells, which are written by hand. */
  settings: mib,
  /** One line of a run's journal. Long outputs stand in files of their own. */
  journalLine: 64 * mib,
} as const;

/** A size in words. */
export function sizeInWords(bytes: number): string {
  return bytes % mib === 0 ? `${bytes / mib} MiB` : `${bytes} bytes`;
}
