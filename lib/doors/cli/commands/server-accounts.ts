import type { Command } from 'commander'
import type { Account } from '@/lib/toolset/servers/accounts/verbs'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { printLine, printTable } from '../print'

const one = { '<id>': 'name or id of the server' }

/** Adds the commands that show and end the accounts at a server. A terminal cannot sign in: a browser does. */
export function addServerAccounts(group: Command): void {
  command(group, 'accounts', {
    description: 'list the accounts that a server is used with: of the site, or of each person',
    args: one,
    work: async ({ ctx, args: [id = ''] }) => {
      const { listServerAccounts } = await import('@/lib/toolset/servers/accounts/verbs')
      const accounts = await listServerAccounts(ctx, { id })
      return { json: accounts, text: () => printAccounts(accounts) }
    },
  })
  command(group, 'disconnect', {
    description: 'end accounts at a server: of the site, of everybody, or of one person',
    args: { ...one, '<whose>': '"site", "everybody", or the e-mail address of a person' },
    work: async ({ ctx, args: [server = '', of = ''] }) => {
      const { disconnectAccounts } = await import('@/lib/toolset/servers/accounts/verbs')
      const result = await disconnectAccounts(ctx, { server, of })
      const { ended, revoked } = result
      const text = `Ended ${countOf(ended, 'account')}; the service confirmed the end of ${revoked}.`
      return { json: result, text: ended === 0 ? 'There was no such account.' : text }
    },
  })
}

function printAccounts(accounts: readonly Account[]): void {
  if (accounts.length === 0) {
    printLine('Nobody is connected.')
    return
  }
  printTable(
    ['WHOSE', 'STATE', 'CONNECTED', 'RENEWED', 'RIGHTS'],
    accounts.map(({ person, usable, connectedAt, renewedAt, scopes }) => [
      person?.email ?? 'the site',
      usable ? 'connected' : 'has to sign in again',
      connectedAt,
      renewedAt ?? 'never',
      visibleText(scopes.join(' ')) || 'none named',
    ]),
  )
}
