import { withAllRows } from "../support/rows.ts";

await withAllRows(() => import("./bad-files.test.ts"));
