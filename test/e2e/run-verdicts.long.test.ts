import { withAllRows } from "../support/rows.ts";

await withAllRows(() => import("./run-verdicts.test.ts"));
