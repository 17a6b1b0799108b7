import { expect, test } from "vitest";
import { isTestCommand } from "./test-command.ts";

test.each([
  "npm test",
  "npm run test:unit",
  "npm --prefix app test",
  "yarn check",
  "go test ./...",
  "make clean test",
  "mvn -q verify",
  "cargo +nightly test",
  "pnpm exec vitest",
  "./scripts/run-tests.sh",
])("S13 %s runs tests", (command) => {
  expect(isTestCommand(command.split(" "))).toBe(true);
});

test.each([
  "npm i test-utils",
  "npm install test",
  "yarn add check",
  "go mod verify",
  "go get test",
  "cargo add check",
  "pnpm --silent add test",
  "npm run build",
])("S13 %s runs none", (command) => {
  expect(isTestCommand(command.split(" "))).toBe(false);
});
