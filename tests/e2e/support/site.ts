import { existsSync, readFileSync } from 'node:fs'

/** Data of the server process for the tests; written by tests/support/start-e2e-server.ts before it answers. */
export type Site = {
  /** The site's own; the three after it are for what a test opens itself. */
  port: number
  modelUrl: string
  /** Environment for a server of a test's own, on its own copy of the database. */
  env: Record<string, string>
  /** Without an admin, for a first and a second try; `token` is the one-time set-up token. */
  fresh: { databaseUrls: [string, string]; token: string }
  /** With the same content as the site itself, for the tests that concern a whole site. */
  spare: { databaseUrl: string }
  /** The same again, for the first steps of an installation. */
  first: { databaseUrl: string }
  /** Addresses of the pages of what is named by one long word. */
  wide: string[]
  /** An API key of the admin. */
  adminKey: string
}

export const siteFile = '.auth/site.json'

export const accounts = {
  admin: { email: 'admin@example.org', password: 'four unrelated words here' },
  member: { email: 'member@example.org', password: 'another set of four words' },
  forgetful: { email: 'forgetful@example.org', password: 'words nobody can remember' },
  keyholder: { email: 'keyholder@example.org', password: 'seven violet moons over gravel' },
  // For a second try: the first leaves its passkeys.
  keyholderAgain: {
    email: 'keyholder-again@example.org',
    password: 'nine amber boats under frost',
  },
  wide: { email: 'wide@example.org', password: 'words wider than any window' },
  throttled: { email: 'throttled@example.org', password: 'right words at the wrong time' },
} as const

/** A name that tries to be markup, for a configuration and a person. */
export const hostileName = '<img src=x onerror="window.__pwned=1"> "Row" \u202Enoitaru'

export function readSite(): Site {
  if (!existsSync(siteFile)) throw new Error(`There is no ${siteFile}: the server did not start.`)
  return JSON.parse(readFileSync(siteFile, 'utf8'))
}

/** Returns the file that holds this person's session, written before the site answers. */
export function stateFile(who: 'admin' | 'member'): string {
  return `.auth/${who}.json`
}
