import type { ApiOf } from "./operation.ts";
import type { operations } from "./table.ts";

/** Everything that a front end can ask. Types only; the schemas are in `table.ts`. */
export type Api = { [Resource in keyof typeof operations]: ApiOf<(typeof operations)[Resource]> };
