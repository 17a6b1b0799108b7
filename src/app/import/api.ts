import type { ImportResult, ImportsApi } from "../../contract/api/import.ts";
import { importTranscripts } from "./import.ts";
import type { ImportParts } from "./parts.ts";

interface Parts extends ImportParts {
  /** The id of the session that a person names. */
  find: (name: string) => Promise<string>;
  /** Resolves after so long, or as soon as the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Between two looks at all files, which take few milliseconds each. */
  lookEveryMs: number;
}

export function importsApi(parts: Parts): ImportsApi {
  return {
    run: (request) => importTranscripts(parts, request),
    async follow(request, options) {
      const first = await importTranscripts(parts, request);
      const signal = options?.signal;
      return (async function* (): AsyncGenerator<ImportResult> {
        yield first;
        for (;;) {
          await parts.sleep(parts.lookEveryMs, signal);
          if (signal?.aborted) return;
          const result = await importTranscripts(parts, request);
          if (result.sessions.length > 0) yield result;
        }
      })();
    },
    async share({ sessions }) {
      const ids: string[] = [];
      for (const name of sessions) ids.push(await parts.find(name));
      parts.bulk.share(ids);
      return { shared: ids };
    },
  };
}
