import type { Accept } from "../bus/index.ts";

/** Says that something happened, before it is seen to. */
export function touching(accept: Accept, touch: () => void): Accept {
  return (connection, entrance) => {
    touch();
    const handler = accept(connection, entrance);
    return {
      ...handler,
      line: (text) => {
        touch();
        handler.line(text);
      },
      closed: (by) => {
        touch();
        handler.closed(by);
      },
    };
  };
}
