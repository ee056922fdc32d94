import { useEffect, useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { messageOf } from "../../text/message-of.ts";
import type { PageClient } from "../../store/link.ts";

export type Asked<Answer> =
  | { readonly kind: "asking" }
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly why: string; readonly code: string };

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Asks the daemon, and asks again whenever `key` changes. What was shown stays until the next answer. */
export function useAsked<Answer>(key: string, ask: (client: PageClient) => Promise<Answer>): Asked<Answer> {
  const { store } = usePage();
  const [asked, setAsked] = useState<Asked<Answer>>({ kind: "asking" });
  const isOpen = store.link.value.kind === "open";
  useEffect(() => {
    const state = { isGone: false };
    const client = store.client();
    if (client !== null && isOpen) {
      ask(client).then(
        (answer) => void (state.isGone || setAsked({ kind: "answered", answer })),
        (error: unknown) =>
          void (state.isGone || setAsked({ kind: "refused", why: messageOf(error), code: codeOf(error) })),
      );
    }
    return () => {
      state.isGone = true;
    };
  }, [key, isOpen, store]);
  return asked;
}
