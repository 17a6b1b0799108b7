import { createServer, request as httpRequest, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LoopbackServer } from "../../src/http/loopback-server.ts";
import { mcpEndpoint } from "../../src/mcp/endpoint.ts";
import type { Offers } from "../../src/mcp/offers.ts";
import { newToken } from "../../src/mcp/token.ts";
import type { ToolResult } from "../../src/mcp/tools.ts";

// What the public conformance tool asks a server to have. The protocol is the program's, what it serves is made for the tool.

const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const text = (words: string): object => ({ type: "text", text: words });
const picture = { type: "image", data: image, mimeType: "image/png" };
const embedded = (uri: string, mimeType: string, words: string): object => ({
  type: "resource",
  resource: { uri, mimeType, text: words },
});

const tools: Record<string, { content: object[]; isError?: true }> = {
  test_simple_text: { content: [text("This is a simple text response for testing.")] },
  test_image_content: { content: [picture] },
  test_audio_content: { content: [{ type: "audio", data: sound, mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  },
  test_multiple_content_types: {
    content: [
      text("Multiple content types test:"),
      picture,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: { content: [text("This tool intentionally returns an error for testing")], isError: true },
};

/** All that a schema may have: a client gets each word of it. */
const wholeSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const resources: Record<string, object> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: image },
};

const prompts: Record<string, (args: Record<string, string>) => object[]> = {
  test_simple_prompt: () => [text("This is a simple prompt for testing.")],
  test_prompt_with_arguments: ({ arg1 = "", arg2 = "" }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
    text("Please process the embedded resource above."),
  ],
  test_prompt_with_image: () => [picture, text("Please analyze the image above.")],
};
const promptArguments: Record<string, string[]> = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
};

const offers: Offers = {
  tools: {
    instructions: "For tests.",
    list: async () => [
      ...Object.keys(tools).map((name) => ({ name, description: name, inputSchema: { type: "object" } })),
      { name: "json_schema_2020_12_tool", description: "Its schema comes as it is.", inputSchema: wholeSchema },
    ],
    call: async (name) => (Object.hasOwn(tools, name) ? (tools[name] as ToolResult) : undefined),
  },
  resources: {
    templates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
    list: async () => ({ resources: Object.keys(resources).map((uri) => ({ uri, name: uri })) }),
    async read(uri) {
      const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
      const made = id === undefined ? resources[uri] : { mimeType: "application/json", text: JSON.stringify({ id }) };
      return made && { uri, ...made };
    },
  },
  prompts: {
    list: async () =>
      Object.keys(prompts).map((name) => ({
        name,
        description: name,
        arguments: (promptArguments[name] ?? []).map((each) => ({ name: each, required: true })),
      })),
    async get(name, args) {
      const contents = prompts[name]?.(args);
      return contents && { messages: contents.map((content) => ({ role: "user", content }) as never) };
    },
  },
  completions: {
    complete: async (_, { value }) => ["paris", "park", "party"].filter((each) => each.startsWith(value)),
  },
};

/** A server on loopback that lets the tool in without a token, which it cannot send; all else reaches the program as it came. */
export class ConformanceServer {
  readonly url: string;
  readonly #http: HttpServer;
  readonly #server: LoopbackServer;

  private constructor(url: string, http: HttpServer, server: LoopbackServer) {
    this.url = url;
    this.#http = http;
    this.#server = server;
  }

  static async start(): Promise<ConformanceServer> {
    const server = await LoopbackServer.listen();
    const token = newToken();
    const inner = new URL(server.add("/mcp", mcpEndpoint(token, { version: "0", ...offers })));
    const http = createServer((request, response) => {
      const { port } = http.address() as AddressInfo;
      const isOwn = [`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? "");
      const isOwnOrigin = request.headers.origin === `http://${request.headers.host}`;
      const headers = {
        ...request.headers,
        authorization: `Bearer ${token}`,
        ...(isOwn && { host: inner.host, ...(isOwnOrigin && { origin: inner.origin }) }),
      };
      const { method } = request;
      const passed = httpRequest(inner, { method, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      passed.on("error", () => response.destroy());
      request.pipe(passed);
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
    return new ConformanceServer(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, http, server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    this.#http.close();
    await this.#server.close();
  }
}
