import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { plural } from "../text/text-layout.ts";

type Output = VerbOutput<"chat">;

async function run(input: VerbInput<"chat">, ports: Ports): Promise<Output> {
  if (ports.openScreen === null) {
    throw new ClawError("INTERACTIVE_ONLY", "an interactive session needs a terminal", {
      operation: "chat",
      target: "chat",
      hint: "Run it on a terminal, or ask one thing with claw -p.",
    });
  }
  const { holdChat } = await import("./chat/hold-chat.ts");
  return holdChat(input, ports, ports.openScreen);
}

/** How to go on, if there is something to go on with. */
function show({ session_id: id, turns, estimated_cost: cost, effect }: Output): string {
  if (effect === "would_update") return "Would open an interactive session.";
  if (id === null) return "Nothing was stored.";
  const spent = cost === "unknown" ? "" : `, ${cost}`;
  return `${plural(turns, "turn")}${spent}. Go on with: claw chat --resume ${id}`;
}

export const handler = handle("chat", { run, show });
