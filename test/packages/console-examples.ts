/** A command of a page with what the page says it prints. */
export interface ConsoleExample {
  readonly command: string;
  readonly output: string;
  readonly exit: number;
}

/** The commands of a page's console blocks; `…` in their output stands for anything. */
export function consoleExamples(page: string): ConsoleExample[] {
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text]) => text ?? "");
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((piece) => {
        const [command = "", ...lines] = piece.trimEnd().split("\n");
        const exit = /^\[exit (\d+)\]$/.exec(lines.at(-1) ?? "")?.[1];
        const output = (exit === undefined ? lines : lines.slice(0, -1)).join("\n");
        return { command, output, exit: Number(exit ?? 0) };
      }),
  );
}

/** The pattern of an output in which `…` stands for anything. */
export const outputPattern = (output: string): RegExp =>
  new RegExp(
    `^${output
      .split("…")
      .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join("[\\s\\S]*")}$`,
  );
