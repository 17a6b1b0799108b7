import type { DoctorApi } from "../../contract/api/doctor.ts";
import type { Doctor } from "./examine.ts";

export function doctorApi(doctor: Doctor): DoctorApi {
  return { examine: async ({ repair }) => ({ findings: await doctor.examine(repair) }) };
}
