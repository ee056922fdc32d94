import type { HarnessId } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import { chooseHarness } from "../../runs/run-request.ts";

const SCRIPTED = "--harness claw --model scripted";

/**
 * The agent that `auto` means: the first that is installed, else claw's own if it has a key for its model. Throws
 * HARNESS_NOT_FOUND with the ways on when neither is the case.
 */
export async function chooseAgent(
  asked: HarnessId | "auto",
  model: string | undefined,
  ports: Ports,
): Promise<HarnessId> {
  const { id } = chooseHarness(asked, ports.env, ports.cwd);
  if (asked !== "auto" || id !== "claw") return id;
  // Loaded late: the module is needed only where no other agent is installed.
  const { missingKey } = await import("../../agent/open-agent.ts");
  const variable = missingKey(model, ports);
  if (variable === null) return id;
  throw new ClawError("HARNESS_NOT_FOUND", `no agent is installed, and claw's own has no key: ${variable} is not set`, {
    operation: "choose_agent",
    target: "auto",
    hint: `Install Claude Code or Codex, or set ${variable}. Without either: add ${SCRIPTED}, or run claw demo.`,
  });
}

/** An example call of `spawn` that works with the agents and keys of this machine. */
export async function spawnThatWorks(ports: Ports): Promise<string> {
  try {
    await chooseAgent("auto", undefined, ports);
    return 'claw spawn "explain this folder"';
  } catch (error) {
    if (error instanceof ClawError && error.code === "HARNESS_NOT_FOUND") return `claw spawn ${SCRIPTED} hello`;
    throw error;
  }
}
