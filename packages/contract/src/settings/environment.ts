/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables claw reads. */
export const ENVIRONMENT = [
  { name: "CLAW_OUTPUT_FORMAT", description: "Default of --output-format." },
  { name: "CLAW_ENVELOPE", description: "Default of --envelope." },
  { name: "CLAW_MODEL", description: "Model to use; before ANTHROPIC_MODEL and ANTHROPIC_DEFAULT_MODEL." },
  { name: "ANTHROPIC_MODEL", description: "Model to use when CLAW_MODEL is not set." },
  { name: "ANTHROPIC_DEFAULT_MODEL", description: "Model to use when neither of the above is set." },
  { name: "CLAW_PERMISSION_MODE", description: "Permission mode, before the settings." },
  { name: "CLAW_CONFIG_HOME", description: "Folder of your own settings; ~/.claw by default." },
  { name: "CLAW_TRUST_WORKSPACE", description: "1: honour all settings of the folder, those that run programs too." },
  { name: "ANTHROPIC_API_KEY", description: "Key for models of Anthropic." },
  { name: "ANTHROPIC_AUTH_TOKEN", description: "The same as a bearer token, when there is no key." },
  { name: "ANTHROPIC_BASE_URL", description: "Where Anthropic's API is spoken." },
  { name: "OPENAI_API_KEY", description: "Key for models of OpenAI and of servers that speak its API." },
  { name: "OPENAI_BASE_URL", description: "Where OpenAI's API is spoken, with /v1." },
  { name: "OPENROUTER_API_KEY", description: "Key for models named openrouter/…" },
  { name: "OLLAMA_HOST", description: "Where Ollama listens." },
  { name: "CLAW_API_ATTEMPTS", description: "How often a request to a model is sent at most." },
  { name: "CLAW_API_IDLE_SECONDS", description: "Silence of a model after which a request counts as failed." },
  { name: "CLAW_MAX_OUTPUT_BYTES", description: "Largest JSON answer before it is cut." },
  { name: "CLAW_TRACE_ID", description: "Returned as meta.trace_id and handed to child processes." },
  { name: "CLAWS_SOCKET", description: "stream-events: socket of the bus; that of the folder's daemon by default." },
  { name: "CLAWS_TOKEN", description: "stream-events: token to show at CLAWS_SOCKET." },
  { name: "CLAWS_TOPIC", description: "stream-events: pattern of topics to print; ** by default." },
  { name: "CLAWS_ROLE", description: "stream-events: role to join in; observer by default." },
  { name: "CLAWS_PEER_NAME", description: "stream-events: name to join under; orchestrator-stream by default." },
  { name: "CLAWS_DEBUG", description: "stream-events --wait: 1 says on stderr what is looked at." },
  { name: "NO_COLOR", description: "Set to anything: print without colours." },
] as const;
