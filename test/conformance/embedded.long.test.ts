// All cases in many processes, too.
export {};
await import("./embedded.test.ts");
