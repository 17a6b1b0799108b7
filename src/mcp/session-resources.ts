import type { Api } from "../contract/api/api.ts";
import type { ListedSession } from "../contract/api/session-list.ts";
import { ClewError } from "../contract/errors.ts";
import type { JsonObject } from "./json-rpc.ts";
import type { Resources } from "./offers.ts";
import type { WithApi } from "./with-api.ts";

const pageSize = 50;
const mimeType = "text/markdown";

/** Sessions as documents: `clew://session/ID` is its session.md, redacted as it is on disk. */
export function sessionResources(withApi: WithApi): Resources {
  return {
    templates: [
      {
        uriTemplate: "clew://session/{id}",
        name: "session",
        title: "A session",
        description: "The record of some work as Markdown: its phases, tool calls, decisions and errors.",
        mimeType,
      },
    ],
    list: (cursor) =>
      withApi(async ({ sessions }) => {
        const page = await sessions.list({ limit: pageSize, after: cursor });
        return {
          resources: page.sessions.map(resourceOf),
          ...(page.next !== undefined && { next: page.next }),
        };
      }),
    async read(uri) {
      const id = /^clew:\/\/session\/([a-z0-9-]{1,200})$/.exec(uri)?.[1];
      if (id === undefined) return undefined;
      const found = await withApi((api) => textOf(api, id));
      // The beginning of an id is no address.
      return found?.session_id === id ? { uri, mimeType, text: found.text } : undefined;
    },
  };
}

async function textOf({ sessions }: Api, id: string): Promise<{ session_id: string; text: string } | undefined> {
  try {
    return await sessions.text({ session: id });
  } catch (error) {
    const isMissing = error instanceof ClewError && ["unknown_session", "ambiguous_session"].includes(error.code);
    if (isMissing) return undefined;
    throw error;
  }
}

function resourceOf({ session_id, title, status, started }: ListedSession): JsonObject {
  const description = `${status}, started ${started}`;
  const annotations = { audience: ["assistant", "user"], lastModified: started };
  return { uri: `clew://session/${session_id}`, name: session_id, title, description, mimeType, annotations };
}
