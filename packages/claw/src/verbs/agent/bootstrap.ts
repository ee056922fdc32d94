import { handle } from "../runtime/handle.ts";
import { pairs } from "../text/text-layout.ts";

export const handler = handle("bootstrap", {
  run: async (input, ports) => {
    const { runBootstrap } = await import("./open-agent.ts");
    return runBootstrap(input, ports);
  },
  show: ({ setup: found, routed_matches: matches, turn, persisted_session_path: path }, paint) => {
    const rows: [string, string][] = [
      ["runtime", `${found.implementation} ${found.runtime_version}`],
      ["python", found.python_version ?? "none"],
      ["platform", found.platform_name],
      ["tests", found.test_command ?? "unknown"],
      ["routed to", matches.map(({ name }) => name).join(", ") || "nothing"],
      ["session", path ?? "none"],
    ];
    return [pairs(rows, paint), ...(turn.output === "" ? [] : ["", turn.output])].join("\n");
  },
});
