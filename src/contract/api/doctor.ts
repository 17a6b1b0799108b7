import * as z from "zod/mini";
import { writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const finding = z.object({
  check: z.string(),
  status: z.enum(["ok", "warning", "problem", "repaired"]),
  message: z.string(),
  hint: z.exactOptional(z.string()),
});
export type Finding = z.infer<typeof finding>;

export const doctorOperations = {
  examine: {
    ...writesLocally,
    about: "Looks at everything Clew relies on; with `repair`, mends what can be mended and says what it did.",
    request: z.strictObject({ repair: z.boolean() }),
    response: z.object({ findings: z.array(finding) }),
    errors: [],
  },
} as const satisfies OperationTable;

export type DoctorApi = ApiOf<typeof doctorOperations>;
