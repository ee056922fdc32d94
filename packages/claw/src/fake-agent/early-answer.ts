/** A text printed at once instead of playing a scenario: the stream, and the exit code of the process. */
export interface EarlyAnswer {
  readonly to: "stdout" | "stderr";
  readonly text: string;
  readonly code: number;
}

export const isEarlyAnswer = (call: object): call is EarlyAnswer => "to" in call;
