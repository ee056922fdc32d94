import { ClawError } from "claw-contract";

/** An argument that has to be JSON. Throws INVALID_FLAG_VALUE, and says how a shell wants it. */
export function readJson(text: string, argument: string, example: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ClawError("INVALID_FLAG_VALUE", `${argument} is not JSON`, {
      operation: "parse_arguments",
      target: argument,
      cause: error,
      hint: `Quote it for the shell, as in '${example}'.`,
    });
  }
}
