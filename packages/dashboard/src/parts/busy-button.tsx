import type { ComponentChildren } from "preact";
import { useAction } from "./use-action.ts";

interface BusyButtonProps {
  readonly run: () => Promise<unknown>;
  /** Text for the live region after the action. */
  readonly done: string;
  readonly children: ComponentChildren;
  readonly tone?: "plain" | "main" | "danger";
  readonly disabled?: boolean;
  readonly keys?: string;
  /** Which of the keys y and n presses this button. */
  readonly answer?: "yes" | "no";
}

/** A button that works once at a time; a refusal stands behind it. */
export function BusyButton(props: BusyButtonProps) {
  const { run, done, children, tone = "plain", disabled = false, keys, answer } = props;
  const action = useAction(run, done);
  return (
    <>
      <button
        type="button"
        class={`button button-${tone}`}
        disabled={disabled}
        aria-disabled={action.isBusy}
        aria-busy={action.isBusy}
        aria-keyshortcuts={keys}
        data-answer={answer}
        onClick={() => void action.run()}
      >
        {children}
      </button>
      <Refusal why={action.refusal} />
    </>
  );
}

/** Shows the daemon's reason for a refusal. */
export const Refusal = ({ why }: { readonly why: string }) =>
  why === "" ? null : (
    <p class="why refusal" role="alert">
      {why}
    </p>
  );
