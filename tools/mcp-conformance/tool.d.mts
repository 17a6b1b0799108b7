/**
 * Runs the scenarios that a revision of the protocol requires against a server; installs the tool when it is first asked for. The code
 * is 0 when exactly the scenarios fail that the file names.
 */
export function runConformance(
  url: string,
  requirements: string,
  expectedFailures: string,
): Promise<{ code: number | string | null; text: string }>;
