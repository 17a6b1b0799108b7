import { ClewError } from "../contract/errors.ts";
import type { Api } from "../contract/api/api.ts";
import type { Explain, OpenOperations } from "./operation-tools.ts";

/** Asks operations that were put together for this alone. Throws a ClewError where a person can act on what went wrong. */
export type WithApi = <T>(work: (api: Api) => Promise<T>) => Promise<T>;

export function withApi(openOperations: OpenOperations, explain: Explain): WithApi {
  return async (work) => {
    const { api, close } = openOperations();
    try {
      return await work(api);
    } catch (error) {
      const explained = explain(error);
      throw explained instanceof ClewError ? explained : error;
    } finally {
      await close();
    }
  };
}
