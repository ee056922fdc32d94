import { ClawError, isSecretName } from "claw-contract";
import { handle } from "../runtime/handle.ts";

export const handler = handle("mcp serve", {
  run: async ({ tools, start, holdSeconds }, ports) => {
    if (ports.stdin.isTerminal()) {
      throw new ClawError("INTERACTIVE_ONLY", "an MCP server talks to a program, and this is a terminal", {
        operation: "serve_mcp",
        target: "standard input",
        hint: "Name `claw mcp serve` as a server in the settings of your agent.",
      });
    }
    // Programs of the server, such as git, inherit the environment of this process: the keys leave it.
    const keys = Object.keys(process.env).filter(isSecretName);
    const env = { ...process.env };
    for (const name of keys) delete process.env[name];
    const { serve } = await ports.openMcp();
    const messages_count = await serve({ tools, start, holdSeconds }, { ...ports, env });
    // After a conversation, standard output belongs to the protocol alone.
    if (messages_count > 0) ports.stage.leave({ code: 0 });
    return { messages_count };
  },
  show: () => "No client said anything.",
});
