import type { JsonObject } from "./json-rpc.ts";
import type { Tools } from "./tools.ts";

/** What a server offers, wherever it is. */
export interface Offers {
  tools: Tools;
  resources?: Resources;
  prompts?: Prompts;
  completions?: Completions;
}

/** What may stand in an argument of a prompt, or in a hole of a resource's address. */
export interface Completions {
  /** Values that begin with what is there. Throws a ClewError when it cannot. */
  complete(subject: "prompt" | "resource", argument: { name: string; value: string }): Promise<string[]>;
}

/** Documents to read. Each function throws a ClewError when it cannot. */
export interface Resources {
  /** How the addresses of documents are made. */
  templates: JsonObject[];
  /** A page of what there is; `next` names the one after it. */
  list(cursor: string | undefined): Promise<{ resources: JsonObject[]; next?: string }>;
  /** Undefined when there is no such document. */
  read(uri: string): Promise<JsonObject | undefined>;
}

/** Texts for a model, with holes. Each function throws a ClewError when it cannot. */
export interface Prompts {
  list(): Promise<JsonObject[]>;
  /** Undefined when there is none of that name. */
  get(name: string, args: Record<string, string>): Promise<JsonObject | undefined>;
}
