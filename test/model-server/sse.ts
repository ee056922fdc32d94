import type { JsonObject } from "claw-contract";

/** One event of a stream: its name, and data whose `type` repeats it. Chat Completions names none. */
export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

export const sseEvent = (data: JsonObject & { readonly type: string }): SseEvent => ({
  event: data.type,
  data: JSON.stringify(data),
});

export const writeSse = ({ event, data }: SseEvent): string =>
  `${event === "" ? "" : `event: ${event}\n`}data: ${data}\n\n`;

/** Reads a whole stream back. What is not finished by a blank line does not count. */
export function readSse(text: string): SseEvent[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .map((frame) => {
      const field = (name: string): string =>
        frame
          .split("\n")
          .filter((line) => line.startsWith(`${name}: `))
          .map((line) => line.slice(name.length + 2))
          .join("\n");
      return { event: field("event"), data: field("data") };
    });
}

/** Cuts text into the pieces a model streams it in; never inside a character. */
export function pieces(text: string, size = 12): string[] {
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(""),
  );
}
