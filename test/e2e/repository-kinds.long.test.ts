import { test } from "vitest";
import { expectMergeFromBead } from "../support/bead-to-merge.ts";
import { kinds } from "../support/repository-kinds.ts";

test.each(Object.entries(kinds))("G11 G12 G13 %s: from a bead to its merge; what is in the way stays", (_, make) =>
  expectMergeFromBead(make),
);
