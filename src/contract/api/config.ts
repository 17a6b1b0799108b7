import * as z from "zod/mini";
import { json } from "../json.ts";
import type { SettingName } from "../settings.ts";
import { reads, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const settingName = z.string() as unknown as z.ZodMiniType<SettingName>;

/** A setting, and the file that says so or `built in`. Its value has its type: a number, true or false, a mapping, or text. */
const listedSetting = z.strictObject({ name: settingName, value: json, origin: z.string() });

/** A setting that was written. */
const settingWrite = z.strictObject({
  name: settingName,
  /** What the whole setting says now. */
  value: json,
  /** What the file said before, as text where that was wrong; null when it said nothing. */
  before: json,
  file: z.string(),
  /** The repository's file, where it goes before the user's one that was written to. */
  overridden_by: z.nullable(z.string()),
});
export type WrittenSetting = z.infer<typeof settingWrite>;

export const configOperations = {
  show: {
    ...reads,
    about: "Every setting with its value and where that comes from.",
    request: z.strictObject({}),
    response: z.strictObject({ settings: z.array(listedSetting) }),
    errors: [],
  },
  set: {
    ...writesLocally,
    about: "Writes one setting, checked; the rest of the file stays as it is.",
    request: z.strictObject({ key: z.string(), value: z.string(), where: z.enum(["user", "repository"]) }),
    response: settingWrite,
    errors: ["unknown_engine"],
  },
} as const satisfies OperationTable;

export type ConfigApi = ApiOf<typeof configOperations>;
