import type { AnyTool } from "../../../agent/index.ts";
import type { Span, Style } from "../../runtime/screen.ts";

const MAX_SUBJECT = 2000;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** The subject of a call, from the tool's main field: the command, the file, the pattern. */
export function toolSubjectOf(tools: readonly AnyTool[], name: string, input: unknown): string {
  const field = tools.find((tool) => tool.name === name)?.mainField;
  const main = field === undefined ? undefined : (input as Record<string, unknown> | null)?.[field];
  return typeof main === "string" ? main : (JSON.stringify(input) ?? "");
}

export const cutLine = (text: string, columns: number): string =>
  text.length > columns ? `${text.slice(0, Math.max(1, columns - 1))}…` : text;

/** The line of a call. */
export function callLine(name: string, subject: string, style: Style, columns: number): Span[] {
  const room = columns - name.length - 4;
  return [
    { text: "● ", styles: [style] },
    { text: name, styles: ["bold"] },
    { text: ` ${cutLine(oneLine(subject.slice(0, MAX_SUBJECT)), Math.max(8, room))}\n` },
  ];
}
