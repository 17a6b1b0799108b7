/** Why an engine could not do its work, where its words tell: each has a way out of its own. */
export const engineProblems = [
  "not_logged_in",
  "out_of_credit",
  "rate_limited",
  "overloaded",
  "untrusted_folder",
  "unknown_session",
  "unknown_model",
] as const;
export type EngineProblem = (typeof engineProblems)[number];

/** Engines try again by themselves for minutes; with these that helps nothing. */
const finalProblems = new Set<EngineProblem>(["not_logged_in", "out_of_credit"]);

export function isFinal(problem: EngineProblem): boolean {
  return finalProblems.has(problem);
}

/** What engines and model services say, in their own words; the first that fits counts. */
const signs: [EngineProblem, RegExp][] = [
  [
    "out_of_credit",
    /credit balance is too low|insufficient_quota|insufficient quota|insufficient_credit|billing[_ ]error|billing_hard_limit|payment required|(?:status|http|answered|code)[: ]{1,2}402\b/i,
  ],
  [
    "not_logged_in",
    /authentication_(?:failed|error)|invalid (?:x-)?api[ -]key|api key not valid|api_key_invalid|incorrect api key|missing api key|run \/login|not logged in|please (?:log|sign) in|(?:status|http|answered|code)[: ]{1,2}401\b|no auth type is selected|must specify the gemini_api_key|set an auth method/i,
  ],
  [
    "rate_limited",
    /rate[_ -]?limit|too many requests|usage limit|resource_exhausted|quota exceeded|exceeded your current quota|(?:status|http|answered|code)[: ]{1,2}429\b/i,
  ],
  ["overloaded", /overloaded|service unavailable|(?:status|http|answered|code)[: ]{1,2}(?:503|529)\b/i],
  [
    "untrusted_folder",
    /not running in a trusted (?:directory|folder)|trusted (?:directory|folder|workspace)|not inside a trusted/i,
  ],
  [
    "unknown_session",
    /no conversation found|session (?:id )?(?:was )?not found|invalid session|no rollout found|thread not found|no saved session|no previous sessions found/i,
  ],
  [
    "unknown_model",
    /model_not_found|model not found|unknown model|is not supported when using|does not exist or you do not have access|issue with the selected model/i,
  ],
];

export function problemIn(text: string): EngineProblem | undefined {
  const said = text.slice(0, maxRead);
  // What a server of tools answers is not the engine's own trouble.
  if (/\bmcp\b/i.test(said)) return undefined;
  return signs.find(([, sign]) => sign.test(said))?.[0];
}

const maxRead = 4_000;

/** What a person does about it. `logIn` is the engine's own way. */
export function wayOut(problem: EngineProblem, logIn: string): string {
  switch (problem) {
    case "not_logged_in":
      return logIn;
    case "out_of_credit":
      return "top up the account of this engine, or choose another engine";
    case "rate_limited":
      return "wait until the limit is over, then go on";
    case "overloaded":
      return "the model's service is overloaded: go on in a while";
    case "untrusted_folder":
      return "start the engine in this folder once and say that you trust it";
    case "unknown_session":
      return "its own session is gone: begin a new one";
    case "unknown_model":
      return "name a model that your account may use";
  }
}
