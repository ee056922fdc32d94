/**
 * Phrases by which a provider says that a conversation does not fit. Anthropic's API and servers such as vLLM have no
 * error code for this case. Only here does the text of a provider decide anything, and only for a request refused with
 * 400.
 */
const WORDS = [
  "prompt is too long",
  "input length and `max_tokens` exceed",
  "input length and max_tokens exceed",
  "maximum context length",
];

export function saysContextOverflow(text: string): boolean {
  const lower = text.toLowerCase();
  return WORDS.some((words) => lower.includes(words));
}
