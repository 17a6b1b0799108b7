import type { IncomingHttpHeaders } from "node:http";
import { contentProblem } from "./json-body.ts";

/** Why a request is refused before its body is read. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

interface Head {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
}

/**
 * Why this is no request of an agent's client: a page in a browser, which sends its own Origin or was led here by
 * another name, must reach nothing. These servers have no pages, so that their own Origin is none of a page's.
 */
export function foreignRefusal({ headers }: Head, host: string): Refusal | undefined {
  if (headers.host !== host) return { status: 403, message: `the Host must be ${host}` };
  const isOwn = headers.origin === undefined || headers.origin === `http://${host}`;
  if (!isOwn) return { status: 403, message: "pages in a browser may not ask" };
  return undefined;
}

/** Why a request of one who has the token is refused. */
export function formRefusal({ method, headers }: Head): Refusal | undefined {
  if (method !== "POST") return { status: 405, message: "only POST is taken here", headers: { allow: "POST" } };
  const problem = contentProblem(headers);
  return problem === undefined ? undefined : { status: 415, message: problem };
}
