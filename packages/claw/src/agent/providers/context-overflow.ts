/**
 * What is said when a conversation does not fit: Anthropic's API has no code for it, nor have servers such as vLLM, only
 * these words. The one place where the text of a provider decides anything, and only of a request refused with 400.
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
