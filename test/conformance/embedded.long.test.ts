import { withAllRows } from "../support/rows.ts";

await withAllRows(() => import("./embedded.test.ts"));
