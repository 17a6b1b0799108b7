import { withAllRows } from "../support/rows.ts";

await withAllRows(() => import("./bead-programs.test.ts"));
