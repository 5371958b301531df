import { z } from 'zod'

const names = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))].filter(Boolean))

/** "idp-editors=Editors, idp-ops=Operations" -> pairs. */
const pairs = names.transform((entries, ctx) =>
  entries.map((entry) => {
    const [theirs = '', ours = '', ...rest] = entry.split('=').map((part) => part.trim())
    if (!theirs || !ours || rest.length > 0) {
      ctx.addIssue({ code: 'custom', message: 'must be pairs such as their-group=Our group' })
    }
    return { theirs, ours }
  }),
)

/** Returns whether tokens and secrets may be sent there: unencrypted only on this machine. */
function isSafeIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (
    search === '' && hash === '' && (protocol === 'https:' || (protocol === 'http:' && loopback))
  )
}

const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' })

/** Signing in through an OpenID Connect provider; off while TOOLGATE_OIDC_ISSUER is not set. */
export const oidcVariables = {
  /** Exactly the issuer in the provider's discovery document. */
  TOOLGATE_OIDC_ISSUER: z
    .string()
    .refine(isSafeIssuer, 'must be an https:// address (http:// only on this machine)')
    .optional(),
  TOOLGATE_OIDC_CLIENT_ID: z.string().min(1).optional(),
  TOOLGATE_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** The button says "Sign in with …". */
  TOOLGATE_OIDC_NAME: z.string().trim().min(1).max(40).default('single sign-on'),
  TOOLGATE_OIDC_SCOPES: z
    .string()
    .refine((text) => text.split(/\s+/).includes('openid'), 'must contain openid')
    .default('openid email profile'),
  TOOLGATE_OIDC_GROUPS_CLAIM: z.string().min(1).default('groups'),
  TOOLGATE_OIDC_ADMIN_GROUPS: names.default([]),
  TOOLGATE_OIDC_MEMBER_GROUPS: names.default([]),
  TOOLGATE_OIDC_GROUP_MAP: pairs.default([]),
  TOOLGATE_OIDC_LINK_BY_EMAIL: onOrOff.default('off'),
  TOOLGATE_PASSWORD_SIGN_IN: onOrOff.default('on'),
}

const OidcEnv = z.object(oidcVariables)
type OidcEnv = z.infer<typeof OidcEnv>

/** Checks what depends on several variables. */
export function checkOidc(env: OidcEnv, ctx: z.core.$RefinementCtx<OidcEnv>): void {
  const complain = (name: keyof OidcEnv, message: string) =>
    ctx.addIssue({ code: 'custom', path: [name], message })
  if (env.TOOLGATE_OIDC_ISSUER === undefined) {
    if (env.TOOLGATE_PASSWORD_SIGN_IN === 'off') {
      complain('TOOLGATE_PASSWORD_SIGN_IN', 'can be off only when TOOLGATE_OIDC_ISSUER is set')
    }
    return
  }
  for (const name of ['TOOLGATE_OIDC_CLIENT_ID', 'TOOLGATE_OIDC_CLIENT_SECRET'] as const) {
    if (env[name] === undefined) complain(name, 'must be set when TOOLGATE_OIDC_ISSUER is set')
  }
  const mapped = [...env.TOOLGATE_OIDC_ADMIN_GROUPS, ...env.TOOLGATE_OIDC_MEMBER_GROUPS]
  if (mapped.length === 0) {
    complain(
      'TOOLGATE_OIDC_MEMBER_GROUPS',
      'or TOOLGATE_OIDC_ADMIN_GROUPS must name a group, or nobody could sign in through the provider',
    )
  }
}
