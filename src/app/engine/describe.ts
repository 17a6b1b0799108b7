import type { EngineFinding, ListedEngine } from "../../contract/api/engine.ts";
import type { EngineAbilities } from "../../contract/engine-abilities.ts";
import type { EngineFacts } from "./ports.ts";

/** An engine as lists show it. */
export function listedEngine(facts: EngineFacts): ListedEngine {
  const { name, path, abilities, manners, bare, answer } = facts;
  const { denial, interrupt } = manners;
  const trouble = troubleOf(facts);
  return {
    name,
    path,
    version: answer && "version" in answer ? answer.version : null,
    available: !trouble,
    logged_in: facts.isLoggedIn,
    can: {
      ...abilities,
      send: abilities.send !== false,
      hooks: abilities.hooks !== "none",
      usage: abilities.usage !== false,
    },
    hooks: abilities.hooks,
    messages: abilities.send === false ? "none" : abilities.send,
    denial,
    interrupt,
    limits: limitWords[`${abilities.usage}`],
    bare: [...bare],
    ...(trouble ?? loginTrouble(facts) ?? versionDoubt(facts)),
  };
}

const limitWords: Record<`${EngineAbilities["usage"]}`, ListedEngine["limits"]> = {
  stream: "while_it_works",
  round: "between_rounds",
  false: "never",
};

interface Trouble {
  problem: string;
  fix?: string;
}

/** What keeps an engine from being used; undefined when nothing does. */
function troubleOf({ path, obstacle, answer, tested }: EngineFacts): Trouble | undefined {
  if (obstacle) return { problem: obstacle.reason, ...(obstacle.fix !== undefined && { fix: obstacle.fix }) };
  const install = tested && { fix: tested.install };
  if (answer && "failure" in answer) return { problem: `${path} --version ${answer.failure}`, ...install };
  if (answer && tested && majorOf(answer.version) < majorOf(tested.version)) {
    const problem = `wrong version: ${answer.version} is too old, Clew knows ${tested.version}`;
    return { problem, ...install };
  }
  return undefined;
}

function loginTrouble({ isLoggedIn, logIn }: EngineFacts): Trouble | undefined {
  return isLoggedIn === false ? { problem: "not logged in", fix: logIn } : undefined;
}

/** Before 1.0 every second number may change what an engine does: an older one was never tried with this adapter. */
function versionDoubt(facts: EngineFacts): Trouble | undefined {
  const { answer, tested } = facts;
  if (!tested || !answer || !("version" in answer) || !isOtherZero(answer.version, tested.version)) return undefined;
  if (minorOf(answer.version) > minorOf(tested.version)) return undefined;
  const problem = `untested version: ${answer.version} is older than ${tested.version}, which Clew was tested with`;
  return { problem, fix: tested.install };
}

/** Whether both are below 1.0, and differ in their second number. */
function isOtherZero(version: string, tested: string): boolean {
  return majorOf(version) === 0 && majorOf(tested) === 0 && minorOf(version) !== minorOf(tested);
}

function minorOf(version: string): number {
  return Number.parseInt(version.split(".")[1] ?? "", 10);
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

/** What is checked of an engine, one by one. */
export function findingsOf(facts: EngineFacts): EngineFinding[] {
  const { name } = facts;
  const findings = [programFinding(facts), versionFinding(facts)];
  const more = facts.path === null ? [] : [loginFinding(facts), ...traitFindings(facts)];
  return [...findings, ...more].flatMap((each) => (each ? [{ engine: name, ...each }] : []));
}

type Check = Omit<EngineFinding, "engine">;

function programFinding({ path, obstacle }: EngineFacts): Check {
  if (!obstacle) return { check: "program", status: "ok", message: path ?? "" };
  const { reason: message, fix: hint } = obstacle;
  return { check: "program", status: "problem", message, ...(hint !== undefined && { hint }) };
}

function versionFinding(facts: EngineFacts): Check | undefined {
  const { answer, tested, obstacle } = facts;
  if (!answer) return undefined;
  const trouble = obstacle ? undefined : troubleOf(facts);
  const hint = trouble?.fix === undefined ? {} : { hint: trouble.fix };
  if (trouble) return { check: "version", status: "problem", message: trouble.problem, ...hint };
  const doubt = versionDoubt(facts);
  if (doubt) return { check: "version", status: "warning", message: doubt.problem, hint: doubt.fix! };
  const version = "version" in answer ? answer.version : "";
  const isTested = tested === undefined || tested.version === version;
  const message = isTested ? version : `${version}; Clew was tested with ${tested.version}`;
  const isDoubtful = tested !== undefined && isOtherZero(version, tested.version);
  if (isDoubtful)
    return {
      check: "version",
      status: "warning",
      message,
      hint: `${tested.install}@${tested.version} installs that one`,
    };
  return { check: "version", status: "ok", message };
}

function loginFinding({ isLoggedIn, logIn, tested }: EngineFacts): Check {
  const check = "log-in";
  if (isLoggedIn === true)
    return { check, status: "ok", message: tested ? "its files or variables show one" : "none is needed" };
  if (isLoggedIn === false) return { check, status: "problem", message: "not logged in", hint: logIn };
  return { check, status: "warning", message: "only the engine itself can tell", hint: `if it is missing: ${logIn}` };
}

/** What it does not do, or does otherwise than a person would expect. */
function traitFindings({ abilities, manners }: EngineFacts): Check[] {
  const { send, usage, permissions, resume, tools } = abilities;
  const messages = {
    joins: "a message joins the round that it is at",
    queues: "a message waits until the round has ended",
    false: "takes no message while it works",
  };
  const limits = {
    stream: "tokens and cost are checked while it works",
    round: "tokens and cost are checked between rounds",
    false: "tells no tokens, so that limits on tokens and cost cannot be checked",
  };
  const denial = manners.denial === "goes_on" ? "after a denial it goes on" : "a denial ends its round";
  const interrupt =
    manners.interrupt === "ends_command"
      ? "an interrupt ends its command, too"
      : "its command runs on after an interrupt";
  return [
    fact("messages", messages[`${send}`], send !== false),
    fact("permissions", permissions ? `asks; ${denial}` : "cannot ask for permission", permissions),
    fact("interrupt", interrupt, true),
    fact(
      "tools",
      tools
        ? "keeps to the tools that an agent's file names"
        : "cannot be kept to the tools that an agent's file names",
      tools,
    ),
    fact("limits", limits[`${usage}`], usage !== false),
    ...(resume ? [] : [fact("resume", "cannot go on with an earlier session", false)]),
  ];
}

function fact(check: string, message: string, isGood: boolean): Check {
  return { check, status: isGood ? "ok" : "warning", message };
}

/** Whether an agent of this engine can be started and may be expected to work. */
export function isUsable(facts: EngineFacts): boolean {
  return !troubleOf(facts) && facts.isLoggedIn !== false;
}
