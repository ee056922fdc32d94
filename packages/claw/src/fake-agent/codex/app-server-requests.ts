import type { JsonObject } from "claw-contract";
import type { QuestionStep } from "../voice.ts";
import { commandActions } from "./app-server-items.ts";
import { placeOf } from "./app-server-lines.ts";
import type { CodexThread } from "./codex-thread.ts";
import type { NativeTool } from "./native-tool.ts";
import { shellLine } from "./native-tool.ts";

/** How the client is asked whether a tool may run. */
export function approvalParams(
  thread: CodexThread,
  tool: NativeTool,
  { itemId, reason }: { readonly itemId: string; readonly reason: string },
): { readonly method: string; readonly params: JsonObject } {
  const asked = { ...placeOf(thread), itemId, startedAtMs: thread.stage.now().getTime() };
  if (tool.kind === "files") {
    return { method: "item/fileChange/requestApproval", params: { ...asked, reason: null, grantRoot: null } };
  }
  const command = tool.kind === "command" ? tool.command : `${tool.server} ${tool.tool}`;
  const amendment = command.split(" ");
  const params = {
    kind: "command",
    ...asked,
    environmentId: "local",
    reason,
    command: shellLine(command),
    cwd: thread.cwd,
    commandActions: commandActions(command),
    proposedExecpolicyAmendment: amendment,
    availableDecisions: ["accept", { acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } }, "cancel"],
  };
  return { method: "item/commandExecution/requestApproval", params };
}

/** How the client is asked a question. */
export function questionParams(
  thread: CodexThread,
  itemId: string,
  { question, header, options }: QuestionStep,
): JsonObject {
  const asked = { id: "question", header, question, isOther: true, isSecret: false, options };
  return { ...placeOf(thread), itemId, questions: [asked], isBlocking: false, autoResolutionMs: null };
}
