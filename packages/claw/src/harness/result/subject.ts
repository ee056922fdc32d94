import { cutText } from "./cut-text.ts";

const SUBJECT_CHARS = 200;
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** How a run is named at the end of a diagnostic: nothing, or the subject in brackets on the same line. */
export function subjectSuffix(subject: string | undefined): string {
  const name = (subject ?? "")
    .replaceAll(ANSI, "")
    .replaceAll(/[\r\n]/g, " ")
    .replaceAll(CONTROL, "")
    .trim();
  return name === "" ? "" : ` (${cutText(name, SUBJECT_CHARS, "")})`;
}
