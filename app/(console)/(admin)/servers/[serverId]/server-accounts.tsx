import type { Account } from '@toolgate/server/toolset/servers/accounts/verbs'
import { connectServer, disconnectServer } from '@/app/(console)/(admin)/servers/actions'
import { AccountRow, DisconnectButton } from '@/components/servers/account-list'
import { ConnectButton } from '@/components/servers/connect-button'
import { ConnectNotice } from '@/components/servers/connect-notice'
import { Section } from '@/components/ui/section'
import type { ServerDetail } from '@/lib/domains/servers/shape'
import { countOf } from '@/lib/words/format'

/** Shows the accounts that runs use a server with: that of the site, or those of people. Their tokens are never shown. */
export function ServerAccounts({
  server: { name, account, url },
  accounts,
  outcome,
}: {
  server: ServerDetail
  accounts: readonly Account[]
  outcome: string | string[] | undefined
}) {
  const [first = null] = accounts
  const list = 'divide-y rounded-md border bg-surface-1'
  if (account === 'person') {
    return (
      <Section
        id="accounts"
        title="Accounts"
        action={
          accounts.length > 0 && (
            <DisconnectButton server={name} of="everybody" disconnect={disconnectServer}>
              Disconnect all
            </DisconnectButton>
          )
        }
      >
        <ConnectNotice named={outcome} />
        <p className="text-muted">{connectedWords(accounts.length)}</p>
        {accounts.length > 0 && (
          <ul className={list}>
            {accounts.map((each) => (
              <AccountRow key={each.person?.id} name={each.person?.email ?? ''} account={each}>
                <DisconnectButton
                  server={name}
                  of={each.person?.email ?? ''}
                  disconnect={disconnectServer}
                />
              </AccountRow>
            ))}
          </ul>
        )}
      </Section>
    )
  }
  return (
    <Section id="accounts" title="Account of this site">
      <ConnectNotice named={outcome} />
      <ul className={list}>
        <AccountRow name={name} place={url} account={first}>
          <ConnectButton
            server={name}
            whose="site"
            again={first !== null}
            connect={connectServer}
          />
          {first && <DisconnectButton server={name} of="site" disconnect={disconnectServer} />}
        </AccountRow>
      </ul>
    </Section>
  )
}

function connectedWords(count: number): string {
  return count === 0
    ? 'Nobody is connected yet. People connect in their own account.'
    : `${countOf(count, 'person', 'people')} ${count === 1 ? 'is' : 'are'} connected.`
}
