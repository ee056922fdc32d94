import type { VerbInput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Decide } from "../../harness/index.ts";
import { askCommand } from "../../harness/index.ts";
import { askPerson } from "./ask-person.ts";
import type { Ports } from "../runtime/handle.ts";

type Input = VerbInput<"run">;

function missingCommand(): ClawError {
  return new ClawError("MISSING_ARGUMENT", "--permission-command is missing", {
    operation: "parse_arguments",
    target: "--permission-command",
    hint: "Give the command that answers: --permission-command CMD.",
  });
}

function uselessCommand(): ClawError {
  return new ClawError("INVALID_FLAG_VALUE", "--permission-command is for --on-permission command", {
    operation: "parse_arguments",
    target: "--permission-command",
    hint: "Add --on-permission command.",
  });
}

function noTerminal(): ClawError {
  return new ClawError("INTERACTIVE_ONLY", "--on-permission ask needs a person at a terminal, and there is none", {
    operation: "run_agent",
    target: "--on-permission",
    hint: "Run it on a terminal with the prompt as an argument, or use --on-permission command.",
  });
}

/**
 * Chooses the person or the command that answers the agent's questions; null when all questions are denied. Throws when
 * there is no terminal to ask at, or no command.
 */
export function chooseDecider(input: Input, ports: Ports): Decide | null {
  const { env, cwd, terminal, redactor } = ports;
  const { onPermission, permissionCommand: command, permissionTimeoutSeconds } = input;
  if (onPermission !== "command" && command !== undefined) throw uselessCommand();
  if (onPermission === "deny") return null;
  if (onPermission === "ask") {
    if (terminal === null) throw noTerminal();
    return (question, signal) => askPerson(question, { terminal, redactor }, signal);
  }
  if (command === undefined) throw missingCommand();
  const timeoutMs = permissionTimeoutSeconds * 1000;
  return (question, signal) => askCommand({ command, cwd, env, timeoutMs }, question, signal);
}
