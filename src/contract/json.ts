import * as z from "zod/mini";
import type { Json } from "./grimoire.ts";

/** What was read as JSON is JSON. */
export const json = z.unknown() as z.ZodMiniType<Json, Json>;
