/** Takes the lines of a stream that exceeds the memory limit. */
export interface EventSpool {
  /**
   * Takes the next line, without its LF, in the order of the stream. From the first call on it gets every line,
   * those before the limit first. Never throws: a spool that cannot write says so in `problem`.
   */
  append(line: string): void;
  /** Where the lines are, absolute, once there are any. */
  readonly path: string;
  /** Why lines are missing, or null. */
  problem(): string | null;
}
