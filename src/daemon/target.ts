import { ClewError } from "../contract/errors.ts";

/** What a request asks for: the words of its path, and its query. */
export interface Target {
  words: string[];
  query: URLSearchParams;
}

const maxTargetChars = 8_192;

/**
 * Reads the target of a request, strictly: what two programs could read in two ways is refused. Throws a ClewError.
 */
export function readTarget(url: string): Target {
  if (!url.startsWith("/")) throw odd("the target must be a path");
  if (url.length > maxTargetChars) throw new ClewError("too_large", "the address is too long", "put less into it");
  if (/[^\x21-\x7e]|[#\\]/.test(url)) throw odd("the target has characters that must be percent-encoded");
  const [path = "", ...rest] = url.split("?");
  const words = path.split("/").slice(1).map(decodedWord);
  return { words, query: new URLSearchParams(rest.join("?")) };
}

/** One word of a path. An encoded slash is part of it, a dot alone leads nowhere. */
function decodedWord(text: string): string {
  let word: string;
  try {
    word = decodeURIComponent(text);
  } catch {
    throw odd("the path is not percent-encoded UTF-8");
  }
  if (word === "." || word === "..") throw odd("the path must not have . or .. in it");
  if (word.includes("\0")) throw odd("the path must not have NUL characters in it");
  return word;
}

function odd(message: string): ClewError {
  return new ClewError("usage", message, "GET /openapi.json names all paths");
}
