// All cases in many processes, too: see `isLong` there.
export * from "./embedded.test.ts";
