import { ClewError } from "../contract/errors.ts";
import { isObject } from "../text/is-object.ts";
import { errorCode, type JsonObject, type RpcError } from "./json-rpc.ts";
import { uncached, type Cache } from "./cache.ts";
import type { Offers } from "./offers.ts";

/** What a method gives: the same in all versions of the protocol. `cache` is told where the version has a word for it. */
export type Reply = { result: JsonObject; cache?: Cache } | { error: RpcError };

/** Methods that all versions have. A server that does not offer something does not know its methods. */
export function findMethod(offers: Offers, method: string): ((params: JsonObject) => Promise<Reply>) | undefined {
  const { tools, resources, prompts, completions } = offers;
  switch (method) {
    case "tools/list":
      return async ({ cursor }) =>
        cursor === undefined ? { result: { tools: await tools.list() }, cache: tools.cache ?? uncached } : noPage();
    case "tools/call":
      return (params) => callTool(offers, params);
    case "resources/list":
      return resources && (async ({ cursor }) => listResources(resources, cursor));
    case "resources/templates/list":
      return resources && (async () => ({ result: { resourceTemplates: resources.templates }, cache: uncached }));
    case "resources/read":
      return resources && (({ uri }) => readResource(resources, uri));
    case "prompts/list":
      return prompts && (async ({ cursor }) => (cursor === undefined ? listPrompts(prompts) : noPage()));
    case "prompts/get":
      return prompts && ((params) => getPrompt(prompts, params));
    case "completion/complete":
      return completions && ((params) => complete(completions, params));
    default:
      return undefined;
  }
}

/** What a client may ask of this server. No list ever changes while it lives, so that clients need not listen for that. */
export function capabilitiesOf({ resources, prompts, completions }: Offers): JsonObject {
  return {
    tools: {},
    ...(resources && { resources: {} }),
    ...(prompts && { prompts: {} }),
    ...(completions && { completions: {} }),
  };
}

async function callTool({ tools }: Offers, params: JsonObject): Promise<Reply> {
  const { name, arguments: args = {}, _meta: meta } = params;
  if (typeof name !== "string") return invalid("params.name must be a string: the name of a tool");
  const result = await tools.call(name, args, meta);
  if (result) return { result };
  const names = (await tools.list()).map((tool) => tool.name);
  return invalid(`there is no tool of this name; there is: ${names.join(", ")}`);
}

async function listResources(resources: NonNullable<Offers["resources"]>, cursor: unknown): Promise<Reply> {
  if (cursor !== undefined && typeof cursor !== "string") return noPage();
  return answered(async () => {
    const { resources: page, next } = await resources.list(cursor);
    return { result: { resources: page, ...(next !== undefined && { nextCursor: next }) }, cache: uncached };
  });
}

async function readResource(resources: NonNullable<Offers["resources"]>, uri: unknown): Promise<Reply> {
  if (typeof uri !== "string") return invalid("params.uri must be a string: the address of a resource");
  return answered(async () => {
    const contents = await resources.read(uri);
    if (contents) return { result: { contents: [contents] }, cache: uncached };
    const message = "there is no such resource; resources/list names those that exist";
    return { error: { code: errorCode.unknownResource, message, data: { uri } } };
  });
}

async function listPrompts(prompts: NonNullable<Offers["prompts"]>): Promise<Reply> {
  return answered(async () => ({ result: { prompts: await prompts.list() }, cache: uncached }));
}

async function getPrompt(prompts: NonNullable<Offers["prompts"]>, params: JsonObject): Promise<Reply> {
  const { name, arguments: args = {} } = params;
  if (typeof name !== "string") return invalid("params.name must be a string: the name of a prompt");
  if (!isObject(args) || Object.values(args).some((value) => typeof value !== "string"))
    return invalid("params.arguments must be an object of strings");
  return answered(async () => {
    const prompt = await prompts.get(name, args as Record<string, string>);
    return prompt
      ? { result: prompt }
      : invalid("there is no prompt of this name; prompts/list names those that exist");
  });
}

const subjects: Record<string, "prompt" | "resource"> = { "ref/prompt": "prompt", "ref/resource": "resource" };
/** The protocol's own limit. */
const maxCompletions = 100;

async function complete(completions: NonNullable<Offers["completions"]>, params: JsonObject): Promise<Reply> {
  const { ref, argument } = params;
  const type = isObject(ref) ? ref["type"] : undefined;
  const subject = typeof type === "string" && Object.hasOwn(subjects, type) ? subjects[type] : undefined;
  if (!subject) return invalid('params.ref must have the type "ref/prompt" or "ref/resource"');
  const { name, value } = isObject(argument) ? argument : {};
  if (typeof name !== "string" || typeof value !== "string")
    return invalid("params.argument must have name and value, both strings");
  return answered(async () => {
    const found = await completions.complete(subject, { name, value });
    const values = found.slice(0, maxCompletions);
    return { result: { completion: { values, total: found.length, hasMore: values.length < found.length } } };
  });
}

/** What cannot be done is an error of the protocol here, with ours beside it. */
async function answered(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClewError))
      return { error: { code: errorCode.internal, message: "something went wrong that was not expected" } };
    const code = error.httpStatus < 500 ? errorCode.invalidParams : errorCode.internal;
    return { error: { code, message: `${error.message}: ${error.hint}`, data: error.toJSON() } };
  }
}

function invalid(message: string): { error: RpcError } {
  return { error: { code: errorCode.invalidParams, message } };
}

function noPage(): Reply {
  return invalid("there is no page of this cursor: take the nextCursor of the page before, or none");
}
