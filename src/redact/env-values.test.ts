import { describe, expect, test } from "vitest";
import { isSecretName, isSecretValue } from "./env-values.ts";
import { noise } from "./fixtures/planted.ts";
import { createRedactor } from "./redactor.ts";

const base64Of = (text: string): string => Buffer.from(text).toString("base64");

describe("D7 secret-looking environment variables", () => {
  test.each([
    "GITHUB_TOKEN",
    "TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "DB_PASSWORD",
    "PGPASSWORD",
    "MYSQL_PWD",
    "SSH_PASSPHRASE",
  ])("D7 %s names a secret", (name) => expect(isSecretName(name)).toBe(true));
  test.each(["OPENAI_API_KEY", "APIKEY", "MY_PRIVATE_KEY", "APP_CREDENTIALS", "npm_config__authToken", "NPM_AUTH"])(
    "D7 %s names a secret, too",
    (name) => expect(isSecretName(name)).toBe(true),
  );
  test.each([
    "AUTHOR",
    "GIT_AUTHOR_NAME",
    "SSH_AUTH_SOCK",
    "XAUTHORITY",
    "PWD",
    "OLDPWD",
    "KEYBOARD",
    "TOKENIZERS_PARALLELISM",
  ])("D7 %s does not", (name) => expect(isSecretName(name)).toBe(false));
  test.each([
    "SECRET_NAME",
    "AUTH_METHOD",
    "TOKEN_URL",
    "PASSWORD_FILE",
    "CREDENTIAL_HELPER",
    "HOME",
    "PATH",
    "PRIMARY_KEY",
  ])("D7 %s does not, either", (name) => expect(isSecretName(name)).toBe(false));

  test.each([
    "/run/secrets/token",
    "~/keys/id_rsa",
    "C:\\keys\\one",
    "https://host/login",
    "1234567890",
    "disabled",
    "keychain",
  ])("D7 %s is no secret value", (value) => expect(isSecretValue(value)).toBe(false));
  test.each(["true", "short1", "credential-helper", "Not Required"])("D7 %s is none, either", (value) =>
    expect(isSecretValue(value)).toBe(false),
  );
  test.each(["hunter2hunter2", "correct horse battery staple", `/${noise(39, "base64")}`, "pa55w0rd"])(
    "D7 %s is one",
    (value) => expect(isSecretValue(value)).toBe(true),
  );
});

describe("D7 values of the environment in a text", () => {
  const value = `n0t/a+real="secret" ü${noise(5)}`;
  const redactor = createRedactor({ env: { MY_TOKEN: ` ${value}\n`, HOME: "/home/someone", OTHER: "n0t-secret" } });
  const mark = "[redacted:env MY_TOKEN]";

  test.each([
    ["as it is", value],
    ["in JSON", JSON.stringify(value).slice(1, -1)],
    ["in JSON in JSON", JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ["in a URL", encodeURIComponent(value)],
    ["in a URL, in small letters", encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase())],
    ["in a form", encodeURIComponent(value).replace(/%20/g, "+")],
    ["in base64", base64Of(value)],
    ["in base64 for URLs", Buffer.from(value).toString("base64url")],
  ])("D7 %s", (_, written) => {
    expect(redactor.redact(`x${written}y ${written}`)).toMatch(
      /^x\[redacted:env MY_TOKEN\]y? \[redacted:env MY_TOKEN\]$/,
    );
  });

  test.each(["", "a", "ab", "abc", "user:"])("D7 in base64 behind %j", (before) => {
    const redacted = redactor.redact(`Basic: ${base64Of(`${before}${value}${before}`)}.`);
    expect(redacted).toContain(mark);
    expect(redacted.length).toBeLessThan(`Basic: ${base64Of(before + before)}.`.length + mark.length + 3);
  });

  test("D7 other variables stay", () => {
    expect(redactor.redact("/home/someone n0t-secret")).toBe("/home/someone n0t-secret");
  });

  test("D7 the password of an address goes, also apart from it and decoded", () => {
    const password = `p@ss-${noise(8)}`;
    const address = (written: string): string => `postgres://app:${written}@db/app`;
    const coded = encodeURIComponent(password);
    const valued = createRedactor({ env: { DATABASE_URL: address(coded) } });
    const gone = "[redacted:env DATABASE_URL]";
    expect(valued.redact(`it is ${password}, or ${coded}; ${address(coded)}`)).toBe(
      `it is ${gone}, or ${gone}; ${address(gone)}`,
    );
  });

  test("D7 of values that contain one another the longest goes, named after it", () => {
    const valued = createRedactor({
      env: { A_TOKEN: "abcdefgh-1", B_TOKEN: "abcdefgh-1-and-2", C_TOKEN: "abcdefgh-1" },
    });
    expect(valued.redact("abcdefgh-1 abcdefgh-1-and-2")).toBe("[redacted:env A_TOKEN] [redacted:env B_TOKEN]");
  });

  test("D7 a value longer than any window goes", () => {
    const long = noise(50_000, "base64");
    const redacted = createRedactor({ env: { BIG_SECRET: long } }).redact(`a ${long} b`);
    expect(redacted).toMatch(/^a (?:\[redacted:env BIG_SECRET\])+ b$/);
  });

  test("D7 odd names and values do no harm", () => {
    const env = {
      "npm_config_//host/:_authToken": "ab]cd-12[ef",
      EMPTY_TOKEN: "",
      UNSET_TOKEN: undefined,
      ODD_TOKEN: "\ud800abc12345",
    };
    const valued = createRedactor({ env, extraValues: ["", "abc", "given-1"] });
    expect(valued.redact("ab]cd-12[ef abc given-1 \ud800abc12345")).toBe(
      "[redacted:env npm_config___host___authToken] abc [redacted:value] [redacted:env ODD_TOKEN]",
    );
  });
});
