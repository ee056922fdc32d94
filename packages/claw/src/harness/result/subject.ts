import { stripAnsi } from "@claw/contract";
import { cutText } from "./cut-text.ts";

const SUBJECT_CHARS = 200;

/** How a run is named at the end of a diagnostic: nothing, or the subject in brackets on the same line. */
export function subjectSuffix(subject: string | undefined): string {
  const name = stripAnsi(subject ?? "")
    .replaceAll(/[\r\n]/g, " ")
    .replaceAll("\t", "")
    .trim();
  return name === "" ? "" : ` (${cutText(name, SUBJECT_CHARS, "")})`;
}
