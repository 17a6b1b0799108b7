import { Command, Option } from "commander";
import type { ListedRule, TestedCall } from "../../contract/api/policy.ts";
import { policyEvents, type PolicyEvent } from "../../contract/policy.ts";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { cleanLine } from "../terminal/clean.ts";
import { table, type Column } from "../terminal/table.ts";

interface TestOptions extends JsonOption {
  tool?: string;
  path?: string;
  step?: string;
  agent?: string;
  event?: PolicyEvent;
}

const columns: Column[] = [
  { title: "RULE", isId: true },
  { title: "DECIDES" },
  { title: "ABOUT", wraps: Infinity, room: 20 },
  { title: "FILE", givesWay: 1 },
];

export function define(context: CliContext): Command {
  const policy = new Command("policy")
    .description("Rules about what agents may do: which decides, and where each stands.")
    .addHelpText("after", '\nExamples:\n  $ clew policy test "git push"\n  $ clew policy list');
  policy
    .command("test")
    .description("Says which rule decides about a command, or another call of a tool, and how the command was read.")
    .argument("[command]", "what a shell would be given")
    .option("--tool <name>", "a tool as its engine calls it, or shell, edit, read, mcp")
    .option("--path <path>", "the file that the tool is to read or edit")
    .option("--step <step>", "as if a step of a run made the call")
    .option("--agent <name>", "as if this agent made the call")
    .addOption(new Option("--event <event>", "when").choices([...policyEvents]))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ clew policy test \"sh -c 'git push'\"\n  $ clew policy test --tool edit --path .env",
    )
    .action(async (command: string | undefined, { json, ...options }: TestOptions) => {
      const result = await context.api.policies.test({ ...options, ...(command !== undefined && { command }) });
      await print(context.output, json, result, () => viewTest(result));
    });
  policy
    .command("list")
    .description("Lists the rules, with the file of each and whether it counts.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew policy list")
    .action(async ({ json }: JsonOption) => {
      const result = await context.api.policies.list({});
      const rows = result.rules.map((rule) => [
        cleanLine(rule.name),
        does(rule),
        cleanLine(rule.about),
        cleanLine(rule.file),
      ]);
      await print(context.output, json, result, () =>
        rows.length === 0 ? "no rules; docs/POLICY.md explains them\n" : table(context.terminal, columns, rows),
      );
    });
  return policy;
}

function does({ decide, counts }: ListedRule): string {
  return `${decide ?? "-"}${counts ? "" : " (not trusted)"}`;
}

function viewTest({ decision, rule, match, reason, context, input, matches, commands }: TestedCall): string {
  const lines = [
    decision === null
      ? "no rule decides: the engine and the agent's level do"
      : `${decision}, by ${rule?.name} (${rule?.file})`,
  ];
  if (match === "maybe") lines.push("  what would be executed cannot be told from the text");
  if (reason !== null) lines.push(`  reason: ${reason}`);
  if (context !== null) lines.push(`  context: ${context}`);
  if (input !== null) lines.push(`  input: ${JSON.stringify(input)}`);
  for (const each of matches) if (!each.counts) lines.push(`  ${each.name} (${each.file}) does not count: clew trust`);
  if (commands.length > 0) lines.push("  read as:", ...commands.map((words) => `    ${words.join(" ")}`));
  return `${lines.map(cleanLine).join("\n")}\n`;
}
