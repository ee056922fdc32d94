/** A text printed at once instead of playing a scenario: the stream, and the exit code of the process. */
export interface Retort {
  readonly to: "stdout" | "stderr";
  readonly text: string;
  readonly code: number;
}

export const isRetort = (call: object): call is Retort => "to" in call;
