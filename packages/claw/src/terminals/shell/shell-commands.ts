import { shellQuote } from "claw-contract";

/** Escapes a text for $'…' of bash and zsh. No character of the result acts as a key of the line editor. */
const escaped = (text: string): string =>
  text.replaceAll(/[\\'!\u0000-\u001f\u007f]/g, (char) =>
    char === "\\" || char === "'" ? `\\${char}` : `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );

/** The line to type for a command: the command itself, unless it contains characters that act as keys. */
export const typedLine = (command: string): string =>
  /[!\u0000-\u001f\u007f]/.test(command) ? `eval $'${escaped(command)}'` : command;

const octal = (text: string): string =>
  text.replaceAll(/[\\'\u0000-\u001f\u007f]/g, (char) => `\\0${char.charCodeAt(0).toString(8).padStart(3, "0")}`);

/**
 * A line for a shell without marks: the line itself prints marks around the command. The secret word is cut in two, so
 * that the echo of the line is not a mark.
 */
export function markedLine(command: string, nonce: string): string {
  const halves = [nonce.slice(0, nonce.length / 2), nonce.slice(nonce.length / 2)].map(shellQuote).join(" ");
  const mark = (kind: string, value = ""): string => `printf '\\033]6973;%s%s;${kind};%s\\007' ${halves} ${value}`;
  return `${mark("C", '""')}; eval "$(printf %b '${octal(command)}')"; ${mark("D", '"$?"')}`;
}
