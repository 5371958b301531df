import type { OwnAccount } from '@toolgate/server/toolset/servers/accounts/verbs'
import { AccountRow, DisconnectButton } from '@/components/servers/account-list'
import { ConnectButton } from '@/components/servers/connect-button'
import { ConnectNotice } from '@/components/servers/connect-notice'
import { Section } from '@/components/ui/section'
import { connectServer, disconnectServer } from './actions'

/** Shows the accounts of a person at MCP servers; nothing without such servers. */
export function ConnectedAccounts({
  accounts,
  outcome,
}: {
  accounts: readonly OwnAccount[]
  outcome: string | string[] | undefined
}) {
  if (accounts.length === 0 && outcome === undefined) return null
  return (
    <Section id="accounts" title="Connected accounts">
      <ConnectNotice named={outcome} />
      {accounts.length === 0 ? (
        <p className="text-muted">No server here is used with people’s own accounts.</p>
      ) : (
        <ul className="divide-y rounded-md border bg-surface-1">
          {accounts.map(({ server, url, account }) => (
            <AccountRow key={server} name={server} place={url} account={account}>
              <ConnectButton
                server={server}
                whose="me"
                again={account !== null}
                connect={connectServer}
              />
              {account && (
                <DisconnectButton server={server} of="me" disconnect={disconnectServer} />
              )}
            </AccountRow>
          ))}
        </ul>
      )}
    </Section>
  )
}
