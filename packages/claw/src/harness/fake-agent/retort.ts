/** Something that is said at once instead of playing: to whom, and how the process ends. */
export interface Retort {
  readonly to: "stdout" | "stderr";
  readonly text: string;
  readonly code: number;
}

export const isRetort = (call: object): call is Retort => "to" in call;
