import { LIMITS } from "@claw/contract";
import type { Agent } from "../../agent/index.ts";

/** The resources of the agent's MCP servers for completion, asked for once. Never rejects; what takes long is left out. */
export function createResourceLister(
  session: { agent(): Agent },
  signal: AbortSignal,
): () => Promise<readonly string[]> {
  let known: { readonly agent: Agent; readonly found: Promise<readonly string[]> } | undefined;
  return () => {
    const agent = session.agent();
    if (known?.agent !== agent) {
      const until = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.completionFilesMs)]);
      known = { agent, found: agent.listResources(until).catch(() => []) };
    }
    return known.found;
  };
}
