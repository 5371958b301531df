'use client'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/act-with-reason'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ActionResult } from '@/lib/action'
import type { ApiKeyListing } from '@/lib/api-keys/schemas'

/** The API keys of an account, never the keys themselves. */
export function KeyList({
  keys,
  revoke,
}: {
  keys: ApiKeyListing[]
  revoke: (input: { keyId: string; reason: string }) => Promise<ActionResult<unknown>>
}) {
  const [asked, setAsked] = useState<ApiKeyListing | null>(null)
  if (keys.length === 0) return <p className="text-muted">No API keys.</p>
  return (
    <>
      <ul className="divide-y rounded-md border bg-surface-1">
        {keys.map((key) => (
          <li key={key.id} className="flex items-center gap-3 px-3 py-2">
            <KeyRound className="size-4 shrink-0 text-muted" aria-hidden />
            <Facts apiKey={key} />
            {counts(key) && (
              <Button size="sm" onClick={() => setAsked(key)}>
                Revoke<span className="sr-only"> {key.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <ActWithReason
          title={`Revoke ${asked.name}`}
          failed="The key was not revoked"
          done={`${asked.name} is revoked`}
          send={(reason) => revoke({ keyId: asked.id, reason })}
          onClose={() => setAsked(null)}
        >
          Whatever uses it gets 401 from its next request on. It cannot be brought back.
        </ActWithReason>
      )}
    </>
  )
}

function counts({ revokedAt, expiresAt }: ApiKeyListing): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now())
}

function Facts({ apiKey }: { apiKey: ApiKeyListing }) {
  const { name, prefix, scopes, createdAt, lastUsedAt, expiresAt, revokedAt } = apiKey
  return (
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-center gap-x-2 text-strong [overflow-wrap:anywhere]">
        <VisibleText text={name} />
        <code className="font-mono text-mono text-muted">{prefix}…</code>
        {revokedAt && <Badge>Revoked</Badge>}
        {!revokedAt && !counts(apiKey) && <Badge tone="warning">Expired</Badge>}
      </p>
      <p className="flex flex-wrap gap-x-3 text-muted text-sm">
        <span>{scopes.join(', ')}</span>
        <span>
          made <RelativeTime at={createdAt} />
        </span>
        <span>
          {lastUsedAt ? (
            <>
              used <RelativeTime at={lastUsedAt} />
            </>
          ) : (
            'never used'
          )}
        </span>
        <span>
          {expiresAt ? (
            <>
              ends <RelativeTime at={expiresAt} />
            </>
          ) : (
            'no end'
          )}
        </span>
      </p>
    </div>
  )
}
