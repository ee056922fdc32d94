import { usePage } from "../app/page.ts";

/** Browsers give no clipboard to pages that came over plain HTTP from another machine; a hidden field still works there. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
}

/** Copies a text when a person presses it. The page writes the clipboard nowhere else. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { said } = usePage();
  const copy = async (): Promise<void> => {
    try {
      await copyText(text());
      said.value = `Copied: ${label}`;
    } catch {
      said.value = "The browser does not let this page copy.";
    }
  };
  return (
    <button type="button" class="button button-small" onClick={() => void copy()}>
      {label}
    </button>
  );
}
