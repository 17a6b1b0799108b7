import { describe, expect, test } from "vitest";
import { isSecretValue } from "./env-values.ts";
import { noise } from "./fixtures/planted.ts";
import { createRedactor } from "./redactor.ts";
import { isSecretName } from "./secret-names.ts";

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
  test.each(
    "DB_PASS MYSQL_PASS SMTP_PASS STRIPE_KEY OPENAI_KEY SESSION_KEY HMAC_KEY SSH_KEY DEPLOY_KEY JWT_KEY SECRETKEY MASTERKEY TOKEN2".split(
      " ",
    ),
  )("D7 %s names one as well", (name) => expect(isSecretName(name)).toBe(true));
  test.each(
    "S3_KEY dbPass apiKey APIKeys AUTHTOKEN AWSSecretKey SIGNING_KEY_2 KEYS_JSON SECRET_KEY_BASE ADMINPASS GH_PAT WIFI_PSK DB_CREDS".split(
      " ",
    ),
  )("D7 %s does in its own way", (name) => expect(isSecretName(name)).toBe(true));
  test.each(
    "GPG_PRIVATE_KEY CACHE_API_KEY PASSKEY LOGIN_CRED OAUTH2 SESSION_COOKIE OTP_SEED SEED_PHRASE PRIVATE_PEM ENCKEY VAULTKEY SERVERPASS AZURE_STORAGE_CONNECTION_STRING".split(
      " ",
    ),
  )("D7 %s does, whatever else stands in it", (name) => expect(isSecretName(name)).toBe(true));
  test.each(
    "MONKEY PASSENGER KEYMAP PUBLIC_KEY GPG_KEY CACHE_KEY XDG_SESSION_ID SSH_ASKPASS BYPASS COMPASS PASS_COUNT TOKEN_LIMIT HOTKEY".split(
      " ",
    ),
  )("D7 %s only looks so", (name) => expect(isSecretName(name)).toBe(false));
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
    "src/index.ts",
    "*.test.ts",
    "localhost:5432",
    "v1.2.3-rc1",
  ])("D7 %s is no secret value", (value) => expect(isSecretValue(value)).toBe(false));
  test.each(["true", "ab12c", "v1.2.3", "plain", "credential-helper", "Not Required"])(
    "D7 %s is none, either",
    (value) => expect(isSecretValue(value)).toBe(false),
  );
  test.each(["hunter2", "open sesame please", "correct horse battery", `/${noise(39, "base64")}`, "pa55w0rd"])(
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
    [
      "in a form, in small letters",
      encodeURIComponent(value)
        .replace(/%20/g, "+")
        .replace(/%../g, (c) => c.toLowerCase()),
    ],
    ["in a URL's path", encodeURIComponent(value).replaceAll("%2F", "/")],
    ["in JSON that escapes slashes", JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/")],
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

describe("D7 what is planted", () => {
  const names = "DB_PASS STRIPE_KEY SESSION_KEY SSH_KEY SECRETKEY MASTERKEY TOKEN2".split(" ");
  const values = Object.fromEntries(names.map((name, at) => [name, `s3cr3t! (${at}) ~*'${noise(6)}&"`]));
  const redactor = createRedactor({ env: values });
  const forms: Record<string, (value: string) => string> = {
    plain: (value) => value,
    json: (value) => JSON.stringify(value).slice(1, -1),
    "base64 behind one": (value) => base64Of(`x${value}yz`),
    "base64 behind two": (value) => base64Of(`xy${value}yz`).replaceAll("=", ""),
    "base64 for URLs": (value) => Buffer.from(`xyz${value}?>`).toString("base64url"),
    percent: (value) => encodeURIComponent(value),
    "a form": (value) => new URLSearchParams({ a: value }).toString().slice(2),
    "every sign": (value) => encodeURIComponent(value).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  };

  test.each(Object.entries(forms))("D7 goes in the form %s, also where a stream is cut", (_, write) => {
    for (const [name, value] of Object.entries(values)) {
      const text = `before ${write(value)} behind`;
      const whole = redactor.redact(text);
      expect(whole).toContain(`[redacted:env ${name}]`);
      for (let size = 1; size < text.length; size += 3) {
        const stream = redactor.stream();
        let streamed = "";
        for (let at = 0; at < text.length; at += size) streamed += stream.push(text.slice(at, at + size));
        expect(streamed + stream.end()).toBe(whole);
      }
    }
  });

  test("D7 paths, numbers and words stay", () => {
    const env = {
      SSH_KEY: "/home/u/.ssh/id_rsa",
      SESSION_KEY: "20261116",
      DB_PASS: "required",
      TOKENIZERS_PARALLELISM: "false",
    };
    const text = Object.values(env).join(" ");
    expect(createRedactor({ env }).redact(text)).toBe(text);
  });

  test("D7 a value is found in JSON as other programs write it", () => {
    const { redact } = createRedactor({ env: { GO_SECRET: "Tr0ub4dor&3<zebra>", PY_SECRET: "Grüße-aus-42-Köln" } });
    expect(redact('{"p":"Tr0ub4dor\\u00263\\u003czebra\\u003e"}')).toBe('{"p":"[redacted:env GO_SECRET]"}');
    expect(redact('{"p":"Gr\\u00fc\\u00dfe-aus-42-K\\u00f6ln"}')).toBe('{"p":"[redacted:env PY_SECRET]"}');
  });
});
