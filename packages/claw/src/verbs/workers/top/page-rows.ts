import type { ReplyFields } from "claw-contract";
import type { ScreenRow } from "../../runtime/full-screen.ts";
import type { Style } from "../../runtime/screen.ts";
import { charactersOf, characterWidth, printableText } from "../../text/text-width.ts";

type TranscriptItem = ReplyFields<"worker.transcript">["items"][number];

const TAB = "    ";

/** The rows of one line. Nothing is left out: a line that is too long goes on in the next row. */
function rowsOfLine(line: string, columns: number, styles: readonly Style[]): ScreenRow[] {
  const texts: string[] = [];
  let text = "";
  let left = columns;
  for (const character of charactersOf(line)) {
    const width = characterWidth(character);
    if (width > left && text !== "") {
      texts.push(text);
      text = "";
      left = columns;
    }
    text += character;
    left -= width;
  }
  return [...texts, text].map((part): ScreenRow => [{ text: part, styles }]);
}

/** The rows of a text, each line in the style that `styleOf` gives. Characters that could move a cursor are escaped. */
export const textRows = (
  text: string,
  columns: number,
  styleOf: (line: string) => readonly Style[] = () => [],
): ScreenRow[] =>
  printableText(text)
    .split("\n")
    .flatMap((line) => rowsOfLine(line.replaceAll("\t", TAB), Math.max(1, columns), styleOf(line)));

/** The style of a line of a diff. */
export function diffStyle(line: string): readonly Style[] {
  if (/^(?:\+\+\+|---|diff |index |new file|deleted file)/.test(line)) return ["dim"];
  if (line.startsWith("@@")) return ["cyan"];
  if (line.startsWith("+")) return ["green"];
  return line.startsWith("-") ? ["red"] : [];
}

const KIND_STYLES: Readonly<Record<TranscriptItem["kind"], readonly Style[]>> = {
  start: ["bold"],
  prompt: ["dim"],
  text: [],
  tool: ["cyan"],
  result: ["dim"],
  question: ["yellow"],
  answer: ["yellow"],
  note: ["dim"],
  error: ["red"],
  end: ["green"],
};

/** The rows of a transcript; what a sub-agent did is indented. */
export const transcriptRows = (items: readonly TranscriptItem[], columns: number): ScreenRow[] =>
  items.flatMap(({ kind, text, agent }) => {
    const indent = agent === undefined ? "" : "  ";
    const rows = textRows(text, columns - indent.length, () => KIND_STYLES[kind]);
    return indent === "" ? rows : rows.map((row): ScreenRow => [{ text: indent }, ...row]);
  });
