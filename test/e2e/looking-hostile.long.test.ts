import { withAllRows } from "../support/rows.ts";

await withAllRows(() => import("./looking-hostile.test.ts"));
