import { flagTable } from "../read-flags.ts";

/** Every flag of `codex exec` and `codex app-server` 0.166.0, and those of `codex` that are played. The last spelling is the main one. */
export const CODEX_FLAGS = flagTable({
  none: `
    --json, --skip-git-repo-check, --ephemeral, --ignore-user-config, --ignore-rules, --oss, --strict-config, --worktree,
    --approve-for-me, --dangerously-bypass-approvals-and-sandbox, --dangerously-bypass-hook-trust, --last, --all,
    --no-daemon, --no-alt-screen, -h --help, -V --version, --stdio, --startup-sign-out, --print-startup-config, --analytics-default-enabled`,
  one: `
    -c --config, --enable, --disable, -m --model, --local-provider, -p --profile, -s --sandbox, -C --cd, --add-dir,
    --thread-source, --cyber-access-program, --output-schema, --color, -o --output-last-message, --listen, -i --image,
    --startup-client-info, --cloud-skills-snapshot, --code-mode-host, --ws-auth, --ws-token-file, --ws-token-sha256,
    --ws-shared-secret-file, --ws-issuer, --ws-audience, --ws-max-clock-skew-seconds`,
  maybe: "",
  many: "",
});
