/** Programs that do nothing but run tests. */
const runners: ReadonlySet<string> = new Set(
  "ava bats ctest jest mocha nox phpunit py.test pytest rspec tap tox unittest vitest".split(" "),
);

/** Programs that run tests when a word of theirs says so: `npm test`, `cargo test`, `make check`. */
const builders: ReadonlySet<string> = new Set(
  "bazel bun cabal cargo composer dart deno dotnet flutter go gradle gradlew just lein make mix mvn mvnw npm pnpm playwright rake sbt stack swift task yarn zig".split(
    " ",
  ),
);
const testWord = /^(?:tests?|check|verify)(?:[:-][\w:.-]+)?$/;

/** Words behind which a name is that of a package, and no task: `npm i test-utils`, `go mod verify`. */
const packageWords: ReadonlySet<string> = new Set(
  "add audit ci create dlx get i in info init install link list ls mod new outdated pack publish remove rm un uninstall unlink up update upgrade view why".split(
    " ",
  ),
);

/** What starts another program. */
const launchers =
  /^(?:(?:npx|bunx)|(?:pnpm|yarn|npm) exec|(?:uv|poetry) run|python3? -m|bundle exec) (?:--(?:yes|no-install) |-- )*/;
/** A script of the repository: `./run-tests.sh`, `scripts/test`. `test` alone is the shell's. */
const testScript = /^\S*\/(?:run[-_])?tests?(?:\.\w+)?$/;

/** Whether the words of a command say that it runs tests. */
export function isTestCommand(words: readonly string[]): boolean {
  const [path = "", ...args] = words.join(" ").replace(launchers, "").split(" ");
  if (testScript.test(path)) return true;
  const program = path.slice(path.lastIndexOf("/") + 1);
  if (runners.has(program)) return true;
  if (program === "node") return args[0] === "--test";
  if (!builders.has(program)) return false;
  const at = args.slice(0, 3).findIndex((word) => testWord.test(word));
  return at >= 0 && !args.slice(0, at).some((word) => packageWords.has(word));
}
