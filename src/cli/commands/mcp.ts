import { Command } from "commander";
import type { CliContext, JsonOption } from "../context.ts";
import { unknownCommand } from "../unknown-command.ts";
import { defineSettings } from "./mcp/settings.ts";

export function define(context: CliContext): Command {
  const mcp = new Command("mcp")
    .description("Serves MCP to an agent that you start: on stdin and stdout, or over HTTP.")
    .option("--http", "serve HTTP on 127.0.0.1, with a token, until Ctrl-C")
    .option("--json", "with --http: print the address and the token as JSON")
    .enablePositionalOptions()
    .addHelpText("after", help)
    .usage("[options] [install|uninstall|status]")
    .argument("[word...]")
    .action((words: string[], { http = false, json = false }: JsonOption & { http?: boolean }) => {
      if (words[0] !== undefined) throw unknownCommand(words[0], mcp);
      return http ? serveHttp(context, json) : serveLines(context);
    });
  defineSettings(mcp, context);
  return mcp;
}

const help = `
A connected agent searches and records sessions, and works on the steps of workflows; what a person decides is not offered to
it. docs/MCP.md tells all tools. Agents that Clew starts are given a server by themselves: below one, this hands on its result.

Examples:
  $ clew mcp
  $ clew mcp --http
  $ clew mcp install`;

async function serveLines(context: CliContext): Promise<void> {
  if (context.input.interactive) context.output.say("serving MCP: one message of JSON-RPC a line; Ctrl-D ends it");
  await context.program.mcp.serveLines(context.input.stdinLines(), (message) => context.output.writeJson(message));
}

async function serveHttp(context: CliContext, json: boolean): Promise<void> {
  const interrupted = context.input.untilInterrupted();
  const server = await context.program.mcp.serveHttp();
  const { url, token } = server;
  if (json) await context.output.writeJson({ url, token });
  else await context.output.write(`url    ${url}\nheader Authorization: Bearer ${token}\n`);
  if (context.input.interactive) context.output.say("serving MCP until Ctrl-C; who has the token may call its tools");
  await interrupted;
  await server.close();
  context.exitCode = 130;
}
