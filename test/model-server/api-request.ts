/** What an answer needs to know of the request it answers. */
export interface ApiRequest {
  /** Distinct for every request to the server. */
  readonly number: number;
  readonly model: string;
}

export const DEFAULT_INPUT_TOKENS = 1000;
export const DEFAULT_OUTPUT_TOKENS = 20;
