import * as z from "zod/mini";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What was read as JSON is JSON. */
export const json = z.unknown() as z.ZodMiniType<Json, Json>;
