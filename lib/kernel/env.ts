import 'server-only'
import { z } from 'zod'
import { checkOidc, oidcVariables } from './env-oidc'

/** 32 bytes, base64. */
const vaultKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')

const heapProblem = 'must be a whole number of megabytes, 256 or more'
const heapMb = z.coerce.number({ error: heapProblem }).int(heapProblem).min(256, heapProblem)

const Variables = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' }),
  /** Half of them for pages and requests, half for runs. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(4).max(200).default(16),
  /** Maximum runs that this process works on at once; further ones wait, or go to other processes. */
  TOOLGATE_RUNS_PER_PROCESS: z.coerce.number().int().min(1).max(1_000).default(256),
  /** Limit of the server's heap in MB. Unset, it follows from the memory of the machine (lib/installation/heap-limit.ts). */
  TOOLGATE_MEMORY_MB: heapMb.optional(),
  NEXTAUTH_SECRET: z.string().min(32, 'must be at least 32 characters'),
  TOOLGATE_VAULT_KEY: vaultKey,
  /** The previous key, while secrets are encrypted anew. */
  TOOLGATE_VAULT_KEY_PREVIOUS: vaultKey.optional(),
  /** Set by Toolgate when the key is in the data folder: its path, so that a rotated key is found there. */
  TOOLGATE_VAULT_KEY_FILE: z.string().startsWith('/', 'must be an absolute path').optional(),
  /** The address browsers use; decides cookie security and links. Unless set, localhost with PORT or 3000. */
  TOOLGATE_URL: z.url(),
  /** The port that this process listens on, if set. On localhost, passkeys are accepted at it. */
  PORT: z.coerce.number().int().min(1).max(65_535).optional().catch(undefined),
  TOOLGATE_DATA_DIR: z.string().min(1).default('.data'),
  /** Name of this server in `/api/ready`, to tell servers apart. */
  TOOLGATE_SERVER_NAME: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be up to 100 letters, digits, dots, dashes and underscores')
    .optional(),
  /** Number of reverse proxies in front of this server that append to X-Forwarded-For; 0: the header is ignored. */
  TOOLGATE_TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  /** A folder of the operator's own tools; absolute, because the built server runs in a folder of its own. */
  TOOLGATE_EXTRA_TOOLS_DIR: z.string().startsWith('/', 'must be an absolute path').optional(),
  /** A folder of SKILL.md files, read at start and on request; absolute for the same reason. */
  TOOLGATE_SKILLS_DIR: z.string().startsWith('/', 'must be an absolute path').optional(),
  /** A site file on this server, which the console compares with this installation. */
  TOOLGATE_SITE_FILE: z.string().startsWith('/', 'must be an absolute path').optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  ...oidcVariables,
})
const Env = Variables.superRefine(checkOidc)
export type Env = z.infer<typeof Env>

let parsed: Env | undefined

/** Returns the environment as it was when it was read, which is at boot or else at the first use. Throws as `readEnv`. */
export function env(): Env {
  return parsed ?? readEnv()
}

/** Reads and checks the environment. Throws one sentence that names every wrong variable (SPEC O2). */
export function readEnv(): Env {
  parsed = parseEnv(process.env)
  return parsed
}

export function parseEnv(source: Record<string, string | undefined>): Env {
  const result = Env.safeParse({
    ...source,
    TOOLGATE_URL: source.TOOLGATE_URL || `http://localhost:${Number(source.PORT) || 3000}`,
  })
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  throw new Error(`The environment is not usable: ${problems.join('; ')}.`)
}
