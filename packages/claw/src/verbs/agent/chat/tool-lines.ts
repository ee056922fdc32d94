import { oneLine } from "claw-contract";
import type { AnyTool } from "../../../agent/index.ts";
import type { Span, Style } from "../../runtime/screen.ts";
import { cutToWidth, textWidth } from "../../text/text-width.ts";

const MAX_SUBJECT = 2000;

/** The subject of a call, from the tool's main field: the command, the file, the pattern. */
export function toolSubjectOf(tools: readonly AnyTool[], name: string, input: unknown): string {
  const field = tools.find((tool) => tool.name === name)?.mainField;
  const main = field === undefined ? undefined : (input as Record<string, unknown> | null)?.[field];
  return typeof main === "string" ? main : (JSON.stringify(input) ?? "");
}

/** The line of a call. */
export function callLine(name: string, subject: string, style: Style, columns: number): Span[] {
  const room = columns - textWidth(name) - 4;
  return [
    { text: "● ", styles: [style] },
    { text: name, styles: ["bold"] },
    { text: ` ${cutToWidth(oneLine(subject.slice(0, MAX_SUBJECT)), Math.max(8, room))}\n` },
  ];
}
