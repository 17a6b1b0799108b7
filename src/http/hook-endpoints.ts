import { randomBytes } from "node:crypto";
import type { SharedServer } from "./shared-server.ts";

/** No engine sends more. */
const maxHookBytes = 16 * 1024 * 1024;

type TakeHook = (body: string) => Promise<{ contentType: string; body: string }>;

/** Serves the hooks of all agents of this process, each at an address and with a token of its own. */
export class HttpHookEndpoints {
  readonly #server: SharedServer;

  constructor(server: SharedServer) {
    this.#server = server;
  }

  async open(take: TakeHook): Promise<{ server: { url: string; token: string }; close(): Promise<void> }> {
    // By its beginning, the redactor knows one wherever it stands.
    const token = `clew_hook_${randomBytes(32).toString("base64url")}`;
    const { url, close } = await this.#server.open("hooks", {
      token,
      maxBytes: maxHookBytes,
      answer: async (body) => ({ status: 200, text: await take(body) }),
    });
    return { server: { url, token }, close };
  }
}
