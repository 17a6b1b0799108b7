import { withAllRows } from "../support/rows.ts";

await withAllRows(() => import("./hostile-texts.test.ts"));
