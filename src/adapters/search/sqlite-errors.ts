import { SearchDamaged } from "../../app/search/ports.ts";
import { ClewError } from "../../contract/errors.ts";

/** SQLite's primary result codes that Clew handles. */
const codes = { busy: 5, locked: 6, readOnly: 8, ioError: 10, corrupt: 11, full: 13, cantOpen: 14, notADatabase: 26 };

/**
 * Runs `work`. Throws SQLite's errors as `SearchDamaged`, or as a `ClewError` for the user. A failed read counts as damage:
 * the search is then made again, which reports a failing disk.
 */
export function translateErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(error);
  }
}

function translate(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_SQLITE_ERROR") return error;
  const options = { cause: error };
  switch (primaryCode(error)) {
    case codes.corrupt:
    case codes.notADatabase:
    case codes.ioError:
      return new SearchDamaged(`The full-text search is damaged: ${error.message}`, options);
    case codes.busy:
    case codes.locked:
      return new ClewError(
        "locked",
        "Another process is writing the full-text search",
        "Try again in a moment",
        options,
      );
    case codes.full:
      return new ClewError("disk_full", "No space left for the full-text search", "Free some disk space", options);
    case codes.readOnly:
    case codes.cantOpen:
      return new ClewError(
        "no_permission",
        `The full-text search cannot be written: ${error.message}`,
        "Check the owner and the permissions of the index folder",
        options,
      );
    default:
      return error;
  }
}

/** `all()` throws without a code (@photostructure/sqlite 1.2.1), so that the message decides. */
function primaryCode(error: Error): number | undefined {
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  if (/malformed|corrupt/.test(error.message)) return codes.corrupt;
  if (/not a database/.test(error.message)) return codes.notADatabase;
  if (/disk I\/O error/.test(error.message)) return codes.ioError;
  if (/locked/.test(error.message)) return codes.busy;
  return undefined;
}
