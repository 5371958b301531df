import type { DiscoverResult } from '@modelcontextprotocol/client'
import type { Challenge } from '@/lib/engines/mcp/sign-in/site'

/** Address of a server. `environment` and `headers` hold secrets: they go to the server and nowhere else. */
export type ServerAddress =
  | {
      type: 'stdio'
      /** The program and its arguments; no shell reads them. */
      command: readonly string[]
      environment: Readonly<Record<string, string>>
      /** The folder in which it works; null or absent = that of this process. */
      cwd?: string | null
      /** Folders that its sandbox hides, where there is one. */
      hiddenFolders: readonly string[]
    }
  | {
      type: 'http' | 'sse'
      url: string
      headers: Readonly<Record<string, string>>
      privateAddressAllowed: boolean
      /**
       * Returns the token of the account that it is used with; null: there is none. It is asked for each request, and goes to the
       * server's own origin alone. A header `Authorization` of the server is sent instead of it.
       */
      token?: () => Promise<string | null>
    }

const launchers: ReadonlySet<string> = new Set(['npx', 'bunx', 'uvx', 'docker', 'podman'])
const launchingWords: ReadonlySet<string> = new Set([
  'npm exec',
  'npm x',
  'pnpm dlx',
  'yarn dlx',
  'bun x',
  'uv tool',
  'pipx run',
])

/** Returns whether a command may download its program before it starts it. */
export function downloadsFirst([program = '', word = '']: readonly string[]): boolean {
  const name = program.split('/').at(-1) ?? ''
  return launchers.has(name) || launchingWords.has(`${name} ${word}`)
}

/**
 * The era of the protocol that a server was found to speak. Modern servers need no handshake when their answer to
 * `server/discover` is known; older ones are not asked for it again.
 */
export type KnownEra = { type: 'legacy' } | { type: 'modern'; discover: DiscoverResult }

/** One line of what passed between Toolgate and a server, or of what its program logs. `at`: ms since 1970. */
export type LogLine = { at: number; from: 'toolgate' | 'server' | 'log'; text: string }

/** Name, version and protocol that a server states. */
export type ServerFacts = { name: string; version: string; protocol: string }

/**
 * Thrown for everything that goes wrong with a server. The message is a sentence for people and models. `detail` is what the
 * program wrote, for admins alone; `answer` is what the server answered as its error, which others may have written; "" =
 * nothing. `challenge` is what a server asks for that wants a token (`sign-in`) or one with more scopes (`scope`): the request did
 * not run. None has a secret of the server.
 */
export class ServerError extends Error {
  constructor(
    readonly code:
      | 'unreachable'
      | 'not-started'
      | 'ended'
      | 'stopped'
      | 'sign-in'
      | 'scope'
      | 'refused'
      | 'too-much'
      | 'not-mcp'
      | 'timed-out'
      | 'asks-back'
      | 'session-ended'
      | 'session-doubted',
    message: string,
    readonly detail = '',
    readonly answer = '',
    readonly challenge: Challenge | null = null,
  ) {
    super(message)
    this.name = 'ServerError'
  }
}

/** Returns what went wrong with a server, for admins. */
export function serverErrorWords(error: unknown): string {
  if (!(error instanceof ServerError)) return 'The server could not be reached.'
  const said = error.answer || error.detail
  return said === '' ? error.message : `${error.message} It said: ${said}`
}

export const mebibyte = 1024 * 1024
/** The most bytes of one message of a server. */
export const mostMessageBytes = 10 * mebibyte
