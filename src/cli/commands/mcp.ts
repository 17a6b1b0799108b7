import { Command } from "commander";
import type { CliContext, JsonOption } from "../context.ts";

export function define(context: CliContext): Command {
  return new Command("mcp")
    .description("Serves MCP, by which an agent hands in the result of its step: on stdin and stdout, or over HTTP.")
    .option("--http", "serve HTTP on 127.0.0.1, with a token, until Ctrl-C")
    .option("--json", "with --http: print the address and the token as JSON")
    .addHelpText("after", help)
    .action(({ http = false, json = false }: JsonOption & { http?: boolean }) =>
      http ? serveHttp(context, json) : serveLines(context),
    );
}

const help = `
Agents that Clew starts are given its server by themselves. This command is for a client that has to start one, such as
an agent's own configuration: below an agent of a step, it hands on the result to that step.

Examples:
  $ clew mcp
  $ clew mcp --http
  $ claude mcp add clew -- clew mcp`;

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
