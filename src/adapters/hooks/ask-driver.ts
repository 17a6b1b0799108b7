import { hookVariables } from "../../contract/hook.ts";

const waitMs = 100_000;
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * Hands a call on to the process that drives the agent, as an engine does that calls it over HTTP. Returns what that answers; undefined
 * where there is none, or where it does not take it. A token is sent to this machine alone.
 */
export async function askDriver(env: Record<string, string | undefined>, body: string): Promise<string | undefined> {
  const url = env[hookVariables.url] ?? "";
  const token = env[hookVariables.token] ?? "";
  if (!/^http:\/\/127\.0\.0\.1:\d{1,5}\/hooks\/\d{1,9}$/.test(url) || !/^[\w-]{1,200}$/.test(token)) return undefined;
  // It takes a while to load, and most hooks need none of it.
  const { request } = await import("node:http");
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const options = { method: "POST", agent: false, headers, signal: AbortSignal.timeout(waitMs) } as const;
    const sent = request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.length > maxAnswerBytes) response.destroy();
      });
      response.on("end", () => resolve(response.statusCode === 200 ? text : undefined));
      response.on("close", () => resolve(undefined));
    });
    sent.on("error", () => resolve(undefined)).end(body);
  });
}
