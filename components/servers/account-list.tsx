'use client'
import type { Account } from '@toolgate/server/toolset/servers/accounts/verbs'
import type { ReactNode } from 'react'
import { ActButton } from '@/components/forms/confirm-dialog'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ActionResult } from '@/lib/next/action'

export type Disconnect = (input: {
  server: string
  of: string
}) => Promise<ActionResult<{ ended: number; revoked: number }>>

/** Shows one account at a server, or that there is none. `name`: of the server or of the person. */
export function AccountRow({
  name,
  place,
  account,
  children,
}: {
  name: string
  /** Address of the server. */
  place?: string | null
  account: Account | null
  children?: ReactNode
}) {
  return (
    <li className="flex flex-wrap items-center gap-3 px-3 py-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 text-strong">
          <VisibleText text={name} />
          {account === null && <Badge>Not connected</Badge>}
          {account?.usable === true && <Badge tone="ok">Connected</Badge>}
          {account?.usable === false && <Badge tone="error">Sign in again</Badge>}
        </p>
        <AccountFacts place={place ?? null} account={account} />
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  )
}

function AccountFacts({ place, account }: { place: string | null; account: Account | null }) {
  const shown = 'flex flex-wrap gap-x-3 text-muted text-sm [overflow-wrap:anywhere]'
  if (account === null) return place && <p className={shown}>{hostOf(place)}</p>
  const { issuer, scopes, wantedScopes, connectedAt, trouble } = account
  return (
    <>
      <p className={shown}>
        {place && <span>{hostOf(place)}</span>}
        <span>{issuer === null ? 'token brought' : `signed in at ${hostOf(issuer)}`}</span>
        <span>
          connected <RelativeTime at={connectedAt} />
        </span>
        {scopes.length > 0 && (
          <span>
            may: <VisibleText text={scopes.join(', ')} />
          </span>
        )}
      </p>
      {trouble !== '' && (
        <p className="text-error text-sm">
          <VisibleText text={trouble} />
        </p>
      )}
      {wantedScopes.length > 0 && (
        <p className="text-sm text-warning">
          A call needs more rights: <VisibleText text={wantedScopes.join(', ')} />. Reconnect to
          allow them.
        </p>
      )}
    </>
  )
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** Ends one account at a server, or all of them. */
export function DisconnectButton({
  server,
  of,
  disconnect,
  children = 'Disconnect',
}: {
  server: string
  of: string
  disconnect: Disconnect
  children?: ReactNode
}) {
  return (
    <ActButton
      send={() => disconnect({ server, of })}
      done="Disconnected"
      failed="Not disconnected"
    >
      {children}
      <span className="sr-only"> {server}</span>
    </ActButton>
  )
}
