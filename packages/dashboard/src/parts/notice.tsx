import type { ComponentChildren } from "preact";

interface NoticeProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly tone?: "calm" | "bad" | "asks";
}

/** What stands in place of content: why there is none, and what to do. */
export function Notice({ title, children, tone = "calm" }: NoticeProps) {
  return (
    <div class={`notice notice-${tone}`} role={tone === "bad" ? "alert" : undefined}>
      <h2>{title}</h2>
      {children !== undefined && <div class="notice-body">{children}</div>}
    </div>
  );
}

/** A command that a person types into a terminal. */
export const Shell = ({ children }: { readonly children: string }) => <code class="shell">{children}</code>;

/** Says of a part of the page that it shows the present although the rest shows the past. */
export const OnlyNow = ({ what }: { readonly what: string }) => (
  <p class="banner banner-past">{what} Press l for live.</p>
);
