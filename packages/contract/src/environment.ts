/** Environment variables claw reads. */
export const ENVIRONMENT = [
  { name: "CLAW_OUTPUT_FORMAT", description: "Default of --output-format." },
  { name: "CLAW_ENVELOPE", description: "Default of --envelope." },
  { name: "CLAW_MODEL", description: "Model to use; before ANTHROPIC_MODEL and ANTHROPIC_DEFAULT_MODEL." },
  { name: "ANTHROPIC_MODEL", description: "Model to use when CLAW_MODEL is not set." },
  { name: "ANTHROPIC_DEFAULT_MODEL", description: "Model to use when neither of the above is set." },
  { name: "CLAW_PERMISSION_MODE", description: "Permission mode, before the settings." },
  { name: "CLAW_CONFIG_HOME", description: "Folder of your own settings; ~/.claw by default." },
  { name: "CLAW_MAX_OUTPUT_BYTES", description: "Largest JSON answer before it is cut." },
  { name: "CLAW_TRACE_ID", description: "Returned as meta.trace_id and handed to child processes." },
  { name: "CLAWS_SOCKET", description: "stream-events: socket of the bus; that of the folder's daemon by default." },
  { name: "CLAWS_TOPIC", description: "stream-events: pattern of topics to print; ** by default." },
  { name: "CLAWS_ROLE", description: "stream-events: role to join in; observer by default." },
  { name: "CLAWS_PEER_NAME", description: "stream-events: name to join under; orchestrator-stream by default." },
  { name: "CLAWS_DEBUG", description: "stream-events --wait: 1 says on stderr what is looked at." },
  { name: "NO_COLOR", description: "Set to anything: print without colours." },
] as const;
