import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { RequestFields, VerbInput } from "claw-contract";
import { ClawError } from "claw-contract";
import { withFileErrors } from "../../files/index.ts";
import { tellBus } from "../bus/ask-bus.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { requireDaemon } from "../bus/open-bus.ts";
import { readVariables } from "../runs/run-request.ts";

type Input = VerbInput<"terminal create">;

const nextSteps = (id: string) => [
  { command: `claw attach ${id}`, description: "Work in it" },
  { command: `claw terminal exec ${id} 'COMMAND'`, description: "Run a command in it" },
  { command: `claw logs ${id}`, description: "See what it printed" },
  { command: `claw terminal close ${id}`, description: "Close it" },
];

/** The folder a shell or program starts in. Throws INVALID_FLAG_VALUE when there is none. */
function startFolder(folder: string | undefined, { cwd }: Ports): string {
  const path = resolve(cwd, folder ?? ".");
  const stats = withFileErrors("open", path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats?.isDirectory()) return path;
  throw new ClawError("INVALID_FLAG_VALUE", `--folder does not name a folder: ${path}`, {
    operation: "parse_arguments",
    target: "--folder",
    hint: "Give --folder a folder that exists.",
  });
}

/** What is run in the terminal, as the wire has it. Throws INVALID_FLAG_VALUE for a shell and a program at once. */
function programOf({
  program = [],
  shell,
}: Pick<Input, "program" | "shell">): Pick<RequestFields<"create">, "argv" | "shellPath"> {
  if (program.length === 0) return shell === undefined ? {} : { shellPath: shell };
  if (shell === undefined) return { argv: program };
  throw new ClawError("INVALID_FLAG_VALUE", "--shell and a program exclude each other", {
    operation: "parse_arguments",
    target: "--shell",
    hint: "Leave out --shell, or the program.",
  });
}

export const handler = handle("terminal create", {
  run: async ({ name, folder, shell, program, env, dryRun }, ports) => {
    const start = startFolder(folder, ports);
    const runs = programOf({ program, shell });
    const variables = readVariables(env ?? [], ports.env);
    if (dryRun) {
      requireDaemon(ports);
      return {
        terminal_id: null,
        name: name ?? null,
        pid: null,
        next_steps: [],
        effect: "would_create",
        would_affect: [],
      };
    }
    const { id, pid } = await tellBus(ports, "create", {
      cwd: start,
      ...(name === undefined ? {} : { name }),
      ...runs,
      env: variables,
    });
    return {
      terminal_id: id,
      name: name ?? null,
      pid,
      next_steps: nextSteps(id),
      effect: "created",
    };
  },
  show: ({ terminal_id, name, next_steps, effect }, paint) => {
    if (effect === "would_create") return "Would open a terminal";
    const steps = next_steps.map(({ command, description }) => `  ${description}: ${paint.cyan(command)}`);
    return [`Opened terminal ${paint.bold(terminal_id ?? "")}${name === null ? "" : ` (${name})`}`, ...steps].join(
      "\n",
    );
  },
});
