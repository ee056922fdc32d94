import type { Interpretation, ResponseHistory } from "../index.ts";
import { EMPTY_HISTORY, interpretResponse } from "../index.ts";

export const COMMAND = "tool deploy --env prod";
export const META = { duration_ms: 5 };

export const print = (envelope: object): string => JSON.stringify(envelope);
export const success = (data: unknown, meta: object = META): string =>
  print({ ok: true, data, error: null, warnings: [], meta });
export const failure = (error: unknown): string => print({ ok: false, data: null, error, warnings: [], meta: META });

export function interpret(
  exitCode: number | null,
  stdout: string,
  history?: unknown,
  command = COMMAND,
): Interpretation {
  return interpretResponse({ exitCode, stdout, command, history });
}

export function expected(parts: Partial<Interpretation> & Pick<Interpretation, "action" | "exit">): Interpretation {
  return { warnings: [], softRedirects: [], anomalies: [], history: EMPTY_HISTORY, ...parts };
}

export const retried = (code: string, count: number, command = COMMAND): ResponseHistory => ({
  ...EMPTY_HISTORY,
  retries: [{ command, code, count }],
});
