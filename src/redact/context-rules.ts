import { assignments, quote } from "./assignments.ts";
import {
  isBasicPair,
  isPathOrUrl,
  isPlaceholder,
  looksLikeCredential,
  looksLikePassword,
  looksLikeToken,
  looksRandom,
} from "./looks-secret.ts";
import { privateKey } from "./private-key.ts";
import type { SecretRule } from "./rule.ts";

const keyOwner = "(?<=(?:api|access|private|secret|signing|encryption|master|account|service|auth|shared)[_ -]?)";

const authorization = String.raw`authorization(?:${quote})?[ \t]{0,4}[:=,][ \t]{0,4}(?:${quote})?`;

/** `://`, also where JSON escapes slashes. */
const addressHints = ["://", ":\\/", ":\\\\"];

/** Secrets that only their surroundings give away. */
export const contextRules: readonly SecretRule[] = [
  privateKey,

  // Headers and commands
  {
    id: "authorization",
    hints: ["authorization"],
    pattern: new RegExp(
      String.raw`(${authorization}(?:bearer|basic|token|negotiate|apikey)[ \t]{1,4})[\w.~+/=:-]{6,8000}`,
      "i",
    ),
    accept: looksLikeCredential,
  },
  {
    id: "authorization",
    hints: ["authorization"],
    pattern: new RegExp(String.raw`(${authorization})[\w.~+/=-]{20,400}`, "i"),
    accept: (value) => looksRandom(value) && !isPathOrUrl(value),
  },
  {
    id: "authorization",
    hints: ["bearer"],
    pattern: /(bearer[ \t]{1,4})[\w.~+/=-]{20,8000}/i,
    accept: looksLikeCredential,
  },
  {
    id: "password",
    hints: ["curl "],
    pattern: /(curl (?:[^\r\n]{0,150}? )?(?:-u|--user)[ =]{0,2}["']?[^\s:"'$]{1,64}:)[^\s"'\\$][^\s"'\\]{0,200}/,
  },
  { id: "password", hints: ["sshpass "], pattern: /(sshpass -p ?["']?)[^\s"'\\$?,;)][^\s"'\\]{3,200}/ },

  // Addresses
  {
    id: "url-password",
    hints: addressHints,
    pattern: /(:(?:\\{0,4}\/){2}[^\s:@/?#"'`<>\\]{0,128}:)(?!\d{1,5}[?#])[^\s@/"'`<>\\]{1,256}(?=@)/,
    accept: (password) => !isPlaceholder(password),
  },
  {
    id: "url-token",
    hints: addressHints,
    pattern: /(:(?:\\{0,4}\/){2})[\w.~%-]{20,255}(?=(?::x-oauth-basic|:)?@)/,
    accept: (user) => looksRandom(user) || /^[0-9a-f]{32,}$/.test(user),
  },
  {
    id: "signed-url",
    hints: ["sig=", "X-Amz-Signature=", "X-Goog-Signature="],
    pattern: /(?<=[?&])((?:sig|X-Amz-Signature|X-Goog-Signature)=)[\w%+/=-]{40,1000}/i,
  },
  {
    id: "connection-string",
    hints: [";password=", "; password=", ";pwd=", "; pwd=", "&password=", "?password="],
    pattern: /([;&?] ?(?:password|pwd)=)[^\s;&"'`\\]{1,256}/i,
    accept: (password) => !isPlaceholder(password) && !isPathOrUrl(password),
  },
  {
    id: "connection-string",
    hints: ["password="],
    pattern: /(?<=(?:host|user|dbname|port|sslmode)=[^\s=,;()]{1,80} )(password=)[^\s"'`\\]{1,256}/i,
    accept: (password) => !isPlaceholder(password),
  },
  {
    id: "azure-key",
    hints: ["AccountKey=", "SharedAccessKey="],
    pattern: /((?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{40,100}={0,2}/i,
  },

  // Assignments
  {
    id: "aws-secret-access-key",
    hints: ["key"],
    pattern: new RegExp(
      `(?<=secret[_-]?(?:access[_-]?)?)(key(?:${quote})?[ \\t]{0,8}(?:=>|=|:)[ \\t]{0,8}(?:${quote})?)` +
        "[A-Za-z0-9/+]{40}",
      "i",
    ),
    wordEnd: true,
  },
  {
    id: "registry-auth",
    hints: ["_auth", '"auth'],
    pattern: new RegExp(`((?:_|")auth(?:${quote})?[ \\t]{0,4}[:=][ \\t]{0,4}(?:${quote})?)[A-Za-z0-9+/]{8,2000}={0,2}`),
    accept: isBasicPair,
  },
  ...assignments(
    "password",
    "(?:pass(?:word|wd|phrase|code)|pwd)",
    ["password", "passwd", "passphrase", "passcode", "pwd"],
    looksLikePassword,
  ),
  ...assignments("secret", "(?:(?<!:)secret|token|credentials?)", ["secret", "token", "credential"], looksLikeToken),
  ...assignments("secret", `${keyOwner}key`, ["key"], looksLikeToken),
];
