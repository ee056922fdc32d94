import { useState } from "preact/hooks";
import { usePage } from "../app/page.ts";
import { messageOf } from "../text/message-of.ts";

export interface Action {
  readonly isBusy: boolean;
  /** Why the last call failed; empty when it did not. */
  readonly refusal: string;
  /** Runs the action, unless it runs already, and tells its outcome in the live region. */
  readonly run: () => Promise<void>;
}

/** An action of a person: busy while it runs, with the daemon's refusal when it fails. */
export function useAction(act: () => Promise<unknown>, done: string): Action {
  const { said } = usePage();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const run = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setRefusal("");
    try {
      await act();
      said.value = done;
    } catch (error) {
      said.value = messageOf(error);
      setRefusal(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, refusal, run };
}
