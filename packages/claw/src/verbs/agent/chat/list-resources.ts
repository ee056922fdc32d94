import { LIMITS } from "claw-contract";
import type { Agent } from "../../../agent/index.ts";
import { joinSignals } from "../../../process/index.ts";

async function listSoon(agent: Agent, signal: AbortSignal): Promise<readonly string[]> {
  const joined = joinSignals({ signals: [signal], timeoutMs: LIMITS.completionFilesMs });
  try {
    return await agent.listResources(joined.signal);
  } catch {
    // Completion goes on without resources when a server takes too long.
    return [];
  } finally {
    joined.release();
  }
}

/** The resources of the agent's MCP servers for completion, asked for once for each agent. Never rejects. */
export function createResourceLister(
  session: { agent(): Agent },
  signal: AbortSignal,
): () => Promise<readonly string[]> {
  let known: { readonly agent: Agent; readonly found: Promise<readonly string[]> } | undefined;
  return () => {
    const agent = session.agent();
    if (known?.agent !== agent) known = { agent, found: listSoon(agent, signal) };
    return known.found;
  };
}
