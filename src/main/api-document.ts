import { apiDocument } from "../daemon/openapi/document.ts";

declare const __CLEW_VERSION__: string;

// A program of the build: prints the document that the daemon serves.
process.stdout.write(`${JSON.stringify(apiDocument(__CLEW_VERSION__))}\n`);
