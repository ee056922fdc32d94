/** Whether shell commands run confined: where it works, never, or not at all where it does not work. */
export const SANDBOX_CHOICES = ["auto", "off", "required"] as const;

/** The APIs of models that are spoken. */
export const PROVIDER_KINDS = ["anthropic", "openai"] as const;

/** The programs that confine commands of claw's agent: on Linux, and on macOS. */
export const SANDBOX_KINDS = ["bubblewrap", "sandbox-exec"] as const;

export type SandboxKind = (typeof SANDBOX_KINDS)[number];
