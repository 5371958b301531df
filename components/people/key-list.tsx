'use client'
import type { ApiKeyListing } from '@toolgate/server/domains/api-keys/schemas'
import type { KeySpend } from '@toolgate/server/domains/usage/spend'
import { KeyRound } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useId, useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { AddedAndUsed, RelativeTime } from '@/components/ui/relative-time'
import { useNow } from '@/components/ui/use-now'
import type { ActionResult } from '@/lib/next/action'
import { limitWords } from '@/lib/protocol/key-limits'
import { countOf } from '@/lib/words/format'
import { type KeyLimiting, KeyLimitsButton } from './key-limits'

/** Shows the API keys of an account, without their secrets. */
export function KeyList({
  keys,
  spend,
  linksToUsage = false,
  limiting,
  switchOn,
  revoke,
}: {
  keys: ApiKeyListing[]
  /** Spending of the keys' runs this month; keys without requests are missing. */
  spend: readonly KeySpend[]
  linksToUsage?: boolean
  /** Left out = the reader may not limit keys. */
  limiting?: KeyLimiting
  /** Left out = the reader may not switch on keys that are off since a restore. */
  switchOn?: (input: { keyId: string; reason: string }) => Promise<ActionResult<unknown>>
  revoke: (input: {
    keyId: string
    reason: string
    stopRuns: boolean
  }) => Promise<ActionResult<unknown>>
}) {
  const [pending, setPending] = useState<ApiKeyListing | null>(null)
  const [paused, setPaused] = useState<ApiKeyListing | null>(null)
  const [stopRuns, setStopRuns] = useState(true)
  const stopId = useId()
  const now = useNow()
  const ask = (key: ApiKeyListing) => {
    setStopRuns(true)
    setPending(key)
  }
  if (keys.length === 0) return <p className="text-muted">No API keys.</p>
  return (
    <>
      <ul className="divide-y rounded-md border bg-surface-1">
        {keys.map((key) => (
          <li key={key.id} className="flex items-center gap-x-3 gap-y-2 px-3 py-2 max-sm:flex-wrap">
            <KeyRound className="size-4 shrink-0 text-muted max-sm:hidden" aria-hidden />
            <Facts apiKey={key} now={now}>
              <Spent figures={spend.find((each) => each.key === key.id)} />
              {linksToUsage && (
                <Link
                  href={`/usage?period=this-month&apiKey=${key.id}`}
                  className="text-link underline-offset-2 hover:underline"
                >
                  Usage<span className="sr-only"> of {key.name}</span>
                </Link>
              )}
            </Facts>
            {switchOn && key.pausedAt && counts(key, now) && (
              <Button size="sm" onClick={() => setPaused(key)}>
                Switch on<span className="sr-only"> {key.name}</span>
              </Button>
            )}
            {limiting && counts(key, now) && <KeyLimitsButton apiKey={key} limiting={limiting} />}
            {counts(key, now) && (
              <Button size="sm" onClick={() => ask(key)}>
                Revoke<span className="sr-only"> {key.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {paused && switchOn && (
        <ActWithReason
          title={`Switch on ${paused.name}`}
          failed="Not switched on"
          done={`Switched on ${paused.name}`}
          send={(reason) => switchOn({ keyId: paused.id, reason })}
          onClose={() => setPaused(null)}
        >
          Off since a backup was restored. Programs can use it again.
        </ActWithReason>
      )}
      {pending && (
        <ActWithReason
          title={`Revoke ${pending.name}`}
          failed="Not revoked"
          done={`Revoked ${pending.name}`}
          send={(reason) => revoke({ keyId: pending.id, reason, stopRuns })}
          onClose={() => setPending(null)}
        >
          Its next request gets 401. Cannot be undone.
          <span className="mt-3 flex items-center gap-2 text-normal">
            <Checkbox id={stopId} checked={stopRuns} onCheckedChange={setStopRuns} />
            <label htmlFor={stopId}>{stopLabel(pending.runsUnderWay)}</label>
          </span>
        </ActWithReason>
      )}
    </>
  )
}

function stopLabel(runs: number): string {
  if (runs === 0) return 'Stop its runs (none active)'
  return runs === 1 ? 'Stop its active run' : `Stop its ${runs} active runs`
}

function counts({ revokedAt, expiresAt }: ApiKeyListing, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now)
}

function Spent({ figures }: { figures: KeySpend | undefined }) {
  if (!figures) return <span>unused this month</span>
  const { calls, cost } = figures
  return (
    <span className="numeric">
      {cost} for {countOf(calls, 'request')} this month
    </span>
  )
}

/** Shows what a key may do: sensitive scopes are marked, and those that it cannot use any more have their reason. */
function Scopes({
  apiKey: { scopes, sensitiveScopes, unusableScopes },
}: {
  apiKey: ApiKeyListing
}) {
  const usable = scopes.filter((scope) => !unusableScopes.includes(scope))
  const plain = usable.filter((scope) => !sensitiveScopes.includes(scope))
  const sensitive = usable.filter((scope) => sensitiveScopes.includes(scope))
  return (
    <>
      {plain.length > 0 && <span>{plain.join(', ')}</span>}
      {sensitive.length > 0 && <span>sensitive: {sensitive.join(', ')}</span>}
      {unusableScopes.length > 0 && (
        <span className="text-warning">
          limited or budgeted, so without {unusableScopes.join(', ')}
        </span>
      )}
    </>
  )
}

function Facts({
  apiKey,
  now,
  children,
}: {
  apiKey: ApiKeyListing
  now: number
  children: ReactNode
}) {
  const { name, prefix, limits, createdAt, lastUsedAt, expiresAt, revokedAt, pausedAt } = apiKey
  const mayUse = limitWords(limits)
  return (
    <div className="min-w-0 flex-1 max-sm:basis-full">
      <p className="flex flex-wrap items-center gap-x-2 text-strong [overflow-wrap:anywhere]">
        <VisibleText text={name} />
        <code className="font-mono text-mono text-muted">{prefix}…</code>
        {revokedAt && <Badge>Revoked</Badge>}
        {pausedAt && counts(apiKey, now) && <Badge tone="warning">Off since a restore</Badge>}
        {!revokedAt && !counts(apiKey, now) && <Badge tone="warning">Expired</Badge>}
      </p>
      <p className="flex flex-wrap gap-x-3 text-muted text-sm">
        <Scopes apiKey={apiKey} />
        {mayUse !== null && <span className="[overflow-wrap:anywhere]">may use {mayUse}</span>}
        <AddedAndUsed at={createdAt} usedAt={lastUsedAt} />
        <span>
          {expiresAt ? (
            <>
              {counts(apiKey, now) ? 'expires' : 'expired'} <RelativeTime at={expiresAt} />
            </>
          ) : (
            'does not expire'
          )}
        </span>
        {children}
      </p>
    </div>
  )
}
