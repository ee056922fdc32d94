import { ClawError, isTopicPattern } from "@claw/contract";

/** The pattern as given. Throws INVALID_FLAG_VALUE when no topic could ever fit it. */
export function readTopicPattern(text: string): string {
  const shown = text.slice(0, 200);
  if (isTopicPattern(text)) return text;
  throw new ClawError("INVALID_FLAG_VALUE", `'${shown}' is no pattern of topics`, {
    operation: "parse_arguments",
    target: "--topic",
    hint: "Write segments with dots between them, as in 'worker.*.event' or 'system.**'.",
  });
}
