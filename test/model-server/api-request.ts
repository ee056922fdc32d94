/** What an answer needs to know of the request it answers. */
export interface ApiRequest {
  /** Distinct for every request to the server. */
  readonly number: number;
  readonly model: string;
  /** Whether a stream of Chat Completions is to end with what it used. */
  readonly includeUsage?: boolean;
}

export const DEFAULT_INPUT_TOKENS = 1000;
export const DEFAULT_OUTPUT_TOKENS = 20;

/** How an API says that it refuses. */
export interface ApiError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
}
