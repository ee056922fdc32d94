import type { ErrorCode } from "claw-contract";
import { ClawError, cutChars } from "claw-contract";

/** One thing wrong with a command line. */
export interface Problem {
  readonly code: ErrorCode;
  readonly param: string;
  readonly message: string;
  readonly value?: string;
  readonly expected?: readonly string[];
  readonly hint?: string;
}

const MAX_SHOWN_VALUE = 200;

export const shortenValue = (text: string): string => cutChars(text, MAX_SHOWN_VALUE);

/** A single error for all problems. The first problem decides the code; `errors` lists every problem. */
export function argumentError(problems: readonly [Problem, ...Problem[]]): ClawError {
  const [first] = problems;
  return new ClawError(first.code, problems.map((problem) => problem.message).join("; "), {
    operation: "parse_arguments",
    target: first.param,
    ...(first.hint === undefined ? {} : { hint: first.hint }),
    details: {
      ...(first.value === undefined ? {} : { value: shortenValue(first.value) }),
      ...(first.expected === undefined ? {} : { expected: first.expected }),
      errors: problems.map(({ code, param, message, value }) => ({
        param,
        code,
        message,
        ...(value === undefined ? {} : { value: shortenValue(value) }),
      })),
    },
  });
}
