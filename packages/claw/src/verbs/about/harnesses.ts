import type { VerbOutput } from "claw-contract";
import type { AgentReport } from "../../harness/index.ts";
import { inspectAgents } from "../../harness/index.ts";
import { handle } from "../runtime/handle.ts";
import type { Paint } from "../runtime/paint.ts";
import { wrapText } from "../text/text-layout.ts";

type Output = VerbOutput<"harnesses">;
type Row = Output["harnesses"][number];

const harnessRow = (report: AgentReport): Row => ({
  id: report.id,
  program: report.program,
  installed: report.path !== null,
  path: report.path,
  version: report.version,
  standing: report.standing,
  newest_recorded: report.newestRecorded,
  authentication: report.credentials,
  behaviours: [...report.behaviours],
  problem: report.problem,
});

const COVERAGE_TEXTS: Readonly<Record<Row["standing"], string>> = {
  recorded: "tried with this version",
  between: "not tried with this version; between those that were",
  older: "not tried with this version; older than any that was",
  newer: "not tried with this version; newer than any that was",
  unknown: "version not known, so not tried with it",
};

const authentication = ({ kind, source }: Row["authentication"]): string =>
  kind === "none" ? "no key in the environment, no login" : `${kind === "login" ? "login in" : "key in"} ${source}`;

const BEHAVIOUR_MARGIN = 4;

function showRow(row: Row, paint: Paint): string[] {
  if (!row.installed) return [`${paint.bold(row.id)}  not installed: no ${row.program} on the PATH`];
  const version = row.problem === null ? `${row.version}, ${COVERAGE_TEXTS[row.standing]}` : paint.yellow(row.problem);
  return [
    `${paint.bold(row.id)}  ${version}`,
    `  program  ${row.path}`,
    `  auth     ${authentication(row.authentication)}`,
    ...row.behaviours.map((text) => paint.dim(`  · ${wrapText(text, BEHAVIOUR_MARGIN)}`)),
  ];
}

export const handler = handle("harnesses", {
  run: async (_input, { cwd, env, signal }) => {
    const harnesses = (await inspectAgents({ cwd, env }, signal)).map(harnessRow);
    const automatic = harnesses.find(({ installed }) => installed)?.id ?? null;
    return { harnesses, harnesses_count: harnesses.length, automatic };
  },
  show: ({ harnesses, automatic }, paint) =>
    [
      ...harnesses.flatMap((row) => showRow(row, paint)),
      "",
      automatic === null ? "Nothing to run; install one of them." : `--harness auto takes ${automatic}.`,
    ].join("\n"),
});
