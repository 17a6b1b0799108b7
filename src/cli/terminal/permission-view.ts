import type { PermissionRequest } from "../../contract/permission.ts";
import { wordsFor } from "../../contract/permission-values.ts";
import type { StepAddress } from "../../contract/run.ts";
import { callArgs } from "../../text/tool-call.ts";
import type { Screen } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import { block } from "./run-block.ts";
import { viewCommands, type CommandHint } from "./run-wait-view.ts";
import { callText, placeText } from "./run-words.ts";
import { wrapLines } from "./wrap.ts";

/** What is longer is cut, and says so: a person who allows it must know that there is more. */
const mostLines = 40;

/** What an agent asks for, on one line: the tool and its command, file or input. */
export function requestText({ tool, input, action }: Omit<PermissionRequest, "id" | "options">): string {
  if (action?.kind === "run") return cleanLine(`${tool}: ${action.command}`);
  if (action && "paths" in action) return cleanLine(`${tool}: ${action.kind} ${action.paths.join(", ")}`);
  return callText(tool, input);
}

/** What answers it from anywhere. */
export function answerCommands(request: Pick<PermissionRequest, "id" | "options">): string[] {
  return wordsFor(request).map((word) => cleanLine(`clew inbox answer ${request.id} ${word}`));
}

/** A request as a person decides on it: which step asks, the tool, and all that it would do. */
export function viewRequest(screen: Screen, request: PermissionRequest & StepAddress): string[] {
  const { colors } = screen;
  const { action, input, tool } = request;
  const paths = action && "paths" in action ? action.paths : undefined;
  const text = action?.kind === "run" ? action.command : (paths?.join("\n") ?? callArgs(input));
  const what = `${colors.bold(cleanLine(tool))}${paths ? ` to ${action!.kind}` : ""}`;
  return [
    ...wrapLines(screen, `${colors.yellow("?")} ${colors.bold(placeText(request))} asks whether it may use ${what}`),
    ...block(screen, clean(text), { indent: 2, bar: colors.dim("│"), mostLines }),
  ];
}

/** The same with the commands that answer it. */
export function viewRequestWithCommands(screen: Screen, request: PermissionRequest & StepAddress): string[] {
  const commands = answerCommands(request).map((command): CommandHint => [command, ""]);
  return [...viewRequest(screen, request), ...viewCommands(screen, commands)];
}
