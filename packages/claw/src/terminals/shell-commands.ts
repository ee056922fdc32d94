import { shellQuote } from "@claw/contract";

/** As it stands between $' and ' of bash and zsh: nothing in it that a key of the line editor would mean something by. */
const escaped = (text: string): string =>
  text.replaceAll(/[\\'!\u0000-\u001f\u007f]/g, (char) =>
    char === "\\" || char === "'" ? `\\${char}` : `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );

/** A line that is typed for a command: the command itself, unless keys in it would do something else. */
export const typedLine = (command: string): string =>
  /[!\u0000-\u001f\u007f]/.test(command) ? `eval $'${escaped(command)}'` : command;

const octal = (text: string): string =>
  text.replaceAll(/[\\'\u0000-\u001f\u007f]/g, (char) => `\\0${char.charCodeAt(0).toString(8).padStart(3, "0")}`);

/**
 * A line for a shell without marks, which makes it put out some around the command. The secret word is cut in two, so
 * that the echo of the line is no mark.
 */
export function markedLine(command: string, nonce: string): string {
  const halves = [nonce.slice(0, nonce.length / 2), nonce.slice(nonce.length / 2)].map(shellQuote).join(" ");
  const mark = (kind: string, value = ""): string => `printf '\\033]6973;%s%s;${kind};%s\\007' ${halves} ${value}`;
  return `${mark("C", '""')}; eval "$(printf %b '${octal(command)}')"; ${mark("D", '"$?"')}`;
}
