// Who may import whom: the layout table of docs/ARCHITECTURE.md as rules. `npm run check` also proves that they bite.

// These do no I/O; clock, files, randomness and processes come in as arguments.
const pureRooms = [
  "text",
  "contract",
  "redact",
  "command",
  "policy",
  "session",
  "turn",
  "grimoire",
  "bead",
  "engine",
  "hook",
  "evidence",
  "run",
  "learn",
];

// Every room may import `text`.
const mayImport = {
  text: [],
  contract: [],
  redact: ["contract"],
  command: [],
  policy: ["contract", "command"],
  session: ["contract"],
  turn: ["contract"],
  grimoire: ["contract"],
  bead: ["contract"],
  engine: ["contract"],
  hook: ["contract"],
  evidence: ["contract"],
  run: ["contract", "grimoire", "engine"],
  learn: ["contract", "session", "grimoire", "engine", "command"],
  app: pureRooms,
  adapters: [...pureRooms, "app"],
  http: ["contract"],
  daemon: ["contract", "app", "http"],
  mcp: ["contract", "app", "http"],
  client: ["contract"],
  cli: ["contract"],
  main: [...pureRooms, "app", "adapters", "http", "daemon", "mcp", "client", "cli"],
};

const rooms = Object.keys(mayImport);
const inRooms = (names) => `^src/(${names.join("|")})/`;
const tests = "\\.test\\.ts$";
const npmPackage = (names) => `(^|/)node_modules/(${names.join("|")})/`;

const roomRules = rooms.map((room) => ({
  name: `room-${room}`,
  comment: `src/${room}/ may import: ${["text", ...mayImport[room]].join(", ")}.`,
  severity: "error",
  from: { path: inRooms([room]) },
  to: { path: "^src/", pathNot: inRooms([room, "text", ...mayImport[room]]) },
}));

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: "room-console",
      comment: "console/ may import: text, contract, client.",
      severity: "error",
      from: { path: "^console/" },
      to: { path: "^src/", pathNot: inRooms(["text", "contract", "client"]) },
    },
    {
      name: "known-room",
      comment: `Every file of src/ stands in a room of the table: ${rooms.join(", ")}.`,
      severity: "error",
      from: { path: "^src/", pathNot: inRooms(rooms) },
      to: {},
    },
    {
      name: "pure-no-builtins",
      comment: "Rooms without I/O import nothing of Node's but what only computes; take the rest as an argument.",
      severity: "error",
      from: { path: inRooms(pureRooms), pathNot: tests },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?zlib$" },
    },
    {
      name: "pure-packages",
      comment: "Rooms without I/O use only packages without I/O.",
      severity: "error",
      from: { path: inRooms(pureRooms.filter((room) => room !== "contract")), pathNot: tests },
      to: { path: "node_modules/", pathNot: npmPackage(["zod", "yaml", "any-ascii", "@toon-format/toon", "unbash"]) },
    },
    {
      name: "contract-packages",
      comment: "The contract is browser-safe and knows zod alone.",
      severity: "error",
      from: { path: inRooms(["text", "contract"]), pathNot: tests },
      to: { dependencyTypes: ["core", "npm"], pathNot: npmPackage(["zod"]) },
    },
    {
      name: "client-in-a-browser",
      comment: "A page imports the client: only what reaches a socket needs Node.",
      severity: "error",
      from: { path: inRooms(["client"]), pathNot: [tests, "^src/client/(node|socket-transport)\\.ts$"] },
      to: { dependencyTypes: ["core", "npm"], pathNot: npmPackage(["eventsource-parser"]) },
    },
    {
      name: "client-without-sockets",
      comment: "What needs Node is an entry of its own.",
      severity: "error",
      from: { path: inRooms(["client"]), pathNot: [tests, "^src/client/node\\.ts$"] },
      to: { path: "^src/client/(node|socket-transport)\\.ts$" },
    },
    {
      name: "database-in-adapters",
      comment: "Only adapters open databases.",
      severity: "error",
      from: { path: "^src/", pathNot: inRooms(["adapters"]) },
      to: { path: npmPackage(["@photostructure/sqlite"]) },
    },
    {
      name: "program-not-to-tests",
      comment: "The program does not import tests, benches, scripts or builds.",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: { path: [tests, "^(test|bench|scripts|tools|console|dist)/"] },
    },
    {
      name: "program-not-to-dev-packages",
      comment: "What the program imports stands under `dependencies`, but for what only runs on Postgres need.",
      severity: "error",
      from: { path: "^src/", pathNot: [tests, "^src/adapters/journal-dbos/sdk\\.ts$"] },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-cycles",
      comment: "Modules that need each other are one module, or hide a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment: "An import that leads nowhere is invisible to the other rules.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Types count too: a type of a forbidden room is still knowledge of it.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};
