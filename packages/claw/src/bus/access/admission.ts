import type { Access, AccessOptions } from "./access.ts";
import { createAccess } from "./access.ts";
import type { ResumeTokens } from "./resume.ts";
import { createResumeTokens } from "./resume.ts";
import type { TokenStore } from "./tokens/index.ts";
import { createTokenStore } from "./tokens/index.ts";

export interface AdmissionOptions {
  readonly now: () => number;
  /** Without it, tokens and resume tokens die with the process. */
  readonly tokens?: TokenStore;
  /** Whether local clients must prove their role by a token or a signed hello. Network clients always must. */
  readonly access?: Pick<AccessOptions, "requireToken" | "signedHello">;
}

/** The state of `access`: who may connect, and who may come back. */
export interface Admission {
  readonly access: Access;
  readonly resume: ResumeTokens;
}

export const createAdmission = ({ now, tokens = createTokenStore(now), access }: AdmissionOptions): Admission => ({
  access: createAccess({ tokens, now, ...access }),
  resume: createResumeTokens(tokens.secret, now),
});
