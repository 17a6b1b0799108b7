import type { DoctorApi } from "../../contract/api/doctor.ts";
import { examine, type Check } from "./examine.ts";

export function doctorApi(checks: Check[]): DoctorApi {
  return { examine: async ({ repair }) => ({ findings: await examine(checks, repair) }) };
}
