import type { ServicePlan } from "./service-plan.ts";

/** A word in quotes, with what systemd would expand taken literally. */
const quote = (word: string): string =>
  `"${word
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("%", "%%")
    .replaceAll("\n", String.raw`\n`)}"`;

/** In a command line, a dollar would name a variable. */
const argument = (word: string): string => quote(word).replaceAll("$", "$$$$");

/** In a path, only a percent sign is expanded, and quotes are part of the path. */
const pathOf = (path: string): string => path.replaceAll("%", "%%");

/** The text of a unit of systemd. Its kill mode leaves workers and the terminal host alone: they outlive the daemon. */
export const systemdUnit = ({ workspace, argv, env }: ServicePlan): string =>
  [
    "[Unit]",
    `Description=claw daemon of ${pathOf(workspace).replaceAll("\n", " ")}`,
    `ConditionPathIsDirectory=${pathOf(workspace)}`,
    "StartLimitIntervalSec=60",
    "StartLimitBurst=5",
    "",
    "[Service]",
    "Type=exec",
    `WorkingDirectory=${pathOf(workspace)}`,
    ...Object.entries(env).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`),
    `ExecStart=${argv.map(argument).join(" ")}`,
    "Restart=on-failure",
    "RestartSec=2",
    "KillMode=process",
    "TimeoutStopSec=30",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");
