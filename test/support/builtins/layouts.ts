import { toolText } from "./project.ts";

/** A package.json with a test script. */
export const withScript = (more: object = {}): string => JSON.stringify({ scripts: { test: "vitest run" }, ...more });
const placeholder = JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } });
/** The rules, the last of which has a recipe. */
export const makefile = (...lines: string[]): string => `${lines.join("\n")}\n\techo\n`;

/** What a project holds, and the one command that its tests need. */
export const kinds: [kind: string, files: Record<string, string>, call: string][] = [
  ["an npm project", { "package.json": withScript(), "package-lock.json": "{}" }, "npm run test"],
  ["a package without a lock file", { "package.json": withScript() }, "npm run test"],
  ["a package with a byte order mark", { "package.json": `\uFEFF${withScript()}` }, "npm run test"],
  ["a pnpm project", { "package.json": withScript(), "pnpm-lock.yaml": "" }, "pnpm run test"],
  ["a yarn project", { "package.json": withScript(), "yarn.lock": "" }, "yarn run test"],
  ["a bun project", { "package.json": withScript(), "bun.lock": "" }, "bun run test"],
  ["a bun project of old", { "package.json": withScript(), "bun.lockb": "" }, "bun run test"],
  [
    "a bun project that also writes yarn.lock",
    { "package.json": withScript(), "bun.lock": "", "yarn.lock": "" },
    "bun run test",
  ],
  [
    "a package with two lock files",
    { "package.json": withScript(), "pnpm-lock.yaml": "", "package-lock.json": "{}" },
    "pnpm run test",
  ],
  [
    "a package that names its manager, against its lock file",
    { "package.json": withScript({ packageManager: "pnpm@10.1.0+sha512.abc" }), "package-lock.json": "{}" },
    "pnpm run test",
  ],
  [
    "a package that names npm, against its lock file",
    { "package.json": withScript({ packageManager: "npm@11" }), "yarn.lock": "" },
    "npm run test",
  ],
  [
    "a package whose manager is unknown",
    { "package.json": withScript({ packageManager: "$(touch harm)@1" }), "yarn.lock": "" },
    "yarn run test",
  ],
  [
    "a package with braces in its scripts",
    { "package.json": `{"scripts":{"a":"echo \${X}","test":"t"}}` },
    "npm run test",
  ],
  ["a cargo project", { "Cargo.toml": "[package]" }, "cargo test"],
  ["a go module", { "go.mod": "module x" }, "go test ./..."],
  ["a project with pytest.ini", { "pytest.ini": "[pytest]" }, "python3 -m pytest"],
  ["a project with pytest in pyproject.toml", { "pyproject.toml": "[tool.pytest.ini_options]" }, "python3 -m pytest"],
  ["a project with pytest in setup.cfg", { "setup.cfg": "[x]\n[tool:pytest]" }, "python3 -m pytest"],
  ["a project with pytest in tox.ini", { "tox.ini": "[pytest]" }, "python3 -m pytest"],
  ["a Python project with a tests folder", { "tests/test_sum.py": "" }, "python3 -m pytest"],
  [
    "a Python project with tests deeper down",
    { "setup.py": "", "tests/unit/a b/test_sum.py": "" },
    "python3 -m pytest",
  ],
  ["a Python project in one folder", { "sum.py": "", "sum_test.py": "" }, "python3 -m pytest"],
  ["a uv project", { "pyproject.toml": "", "uv.lock": "", "tests/test_sum.py": "" }, "uv run pytest"],
  ["a poetry project", { "pyproject.toml": "", "poetry.lock": "", "tests/test_sum.py": "" }, "poetry run pytest"],
  ["a maven project", { "pom.xml": "" }, "mvn -B test"],
  ["a maven project with a wrapper", { "pom.xml": "", mvnw: toolText("mvnw") }, "mvnw -B test"],
  ["a gradle project", { "build.gradle": "" }, "gradle test"],
  ["a gradle project in Kotlin", { "settings.gradle.kts": "" }, "gradle test"],
  ["a gradle project with a wrapper", { "build.gradle": "", gradlew: toolText("gradlew") }, "gradlew test"],
  ["a Makefile with a test target", { Makefile: makefile("all: build", "test: all") }, "make test"],
  ["a Makefile with a check target", { Makefile: makefile("check:") }, "make check"],
  ["a Makefile with both targets", { Makefile: makefile("check:", "test:") }, "make test"],
  ["a Makefile with several targets in a rule", { Makefile: makefile("lint test bench: build") }, "make test"],
  ["a Makefile with a double-colon rule", { GNUmakefile: makefile("test::") }, "make test"],
];

export const allTools = [
  "node",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "cargo",
  "go",
  "python3",
  "uv",
  "poetry",
  "mvn",
  "gradle",
  "make",
];

/** Projects whose tests cannot be found. */
export const untested: [string, Record<string, string>][] = [
  ["an empty folder", {}],
  ["a package without scripts", { "package.json": "{}" }],
  ["a package without a test script", { "package.json": '{"scripts":{"build":"tsc","test:e2e":"x"}}' }],
  ["a package with npm's placeholder", { "package.json": placeholder, "package-lock.json": "{}" }],
  ["a pyproject.toml for other tools", { "pyproject.toml": "[tool.ruff]" }],
  ["Python files among the fixtures of another project", { "test/fixtures/test_sum.py": "" }],
  ["a Makefile that only declares the target", { Makefile: ".PHONY: test\nall:\n\techo test:\n" }],
  ["a Makefile with variables of that name", { Makefile: "test := a\ncheck = b\ntest ::= c\n# test:\n" }],
  ["a Makefile with targets that only begin like it", { Makefile: makefile("testing: all", "my-test:", "check-all:") }],
  [
    "folders with the names of build files",
    { "Cargo.toml/x": "", "go.mod/x": "", "package.json/x": "", "Makefile/x": "" },
  ],
];
