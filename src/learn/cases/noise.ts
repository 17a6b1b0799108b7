import type { ExclusionReason } from "../../contract/learn-values.ts";

/** Failures that teach nothing about the work. Each pattern is looked for at the beginning and the end of what was printed. */

const environment =
  /command not found|not recognized as an internal or external command|executable file not found|spawn \S{1,200} ENOENT|cannot open shared object file|ENOSPC|no space left on device|disk quota exceeded|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|could not resolve host|temporary failure in name resolution|network is unreachable|no route to host|connection refused|certificate verify failed|cannot allocate memory|out of memory|read-only file system|cannot connect to the docker daemon/i;

const transient =
  /\brate.?limit(?:ed|_error|_exceeded)\b|rate limit (?:reached|exceeded|hit)|(?:^|: )too many requests|\b429:? too many requests|\bHTTP(?:\/[\d.]+)? 429\b|\b(?:API|server|request|HTTP) error:? 429\b|\berror code:? 429\b|failed with status(?: code)? 429\b|overloaded|\b50[234]\b (?:bad gateway|service unavailable|gateway time)|service unavailable|ETIMEDOUT|ECONNRESET|ESOCKETTIMEDOUT|socket hang up|timed out (?:after|waiting)|command timed out|request timed out|connection timed out|operation timed out|deadline exceeded|resource temporarily unavailable|could not get lock|database is locked|index\.lock/im;

/** A line that names a test file tells of what is tested, and not of a server that was asked. */
const testFileLine = /^.*(?:[._-](?:test|spec)s?\.\w|\btest_\w+\.py).*$/gim;

const interrupted =
  /request interrupted by user|interrupted by the user|user doesn.t want to (?:proceed|take this action)|user rejected|tool use was rejected|aborted by (?:the )?user/i;

const lookedAt = 600;

/** Why such a failure is none of the agent's; undefined when it may be. */
export function noiseIn(
  text: string,
): Extract<ExclusionReason, "environment" | "transient" | "interrupted"> | undefined {
  const ends = text.length <= 2 * lookedAt ? text : `${text.slice(0, lookedAt)}\n${text.slice(-lookedAt)}`;
  if (interrupted.test(ends)) return "interrupted";
  if (environment.test(ends)) return "environment";
  return transient.test(ends.replace(testFileLine, "")) ? "transient" : undefined;
}
