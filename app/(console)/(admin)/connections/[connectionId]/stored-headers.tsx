'use client'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/act-with-reason'
import { Button } from '@/components/ui/button'
import type { ActionResult } from '@/lib/kernel/action'

type Props = {
  names: readonly string[]
  remove: (name: string, reason: string) => Promise<ActionResult<unknown>>
}

/** Lists the names of the stored headers. A removed value cannot be restored, so each removal asks first. */
export function StoredHeaders({ names, remove }: Props) {
  const [asking, setAsking] = useState<string | null>(null)
  if (names.length === 0) return null
  return (
    <>
      <ul className="max-w-160 divide-y rounded-md border bg-surface-1">
        {names.map((name) => (
          <li key={name} className="flex items-center justify-between gap-3 px-3 py-1.5">
            <code className="min-w-0 font-mono text-mono [overflow-wrap:anywhere]">{name}</code>
            <Button size="sm" variant="ghost" onClick={() => setAsking(name)}>
              Remove…<span className="sr-only"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {asking !== null && (
        <ActWithReason
          title={`Remove ${asking}`}
          failed={`${asking} was not removed`}
          done={`Removed ${asking}`}
          send={(reason) => remove(asking, reason)}
          onClose={() => setAsking(null)}
        >
          Its value is deleted from the vault. This cannot be undone. Later requests are sent
          without it.
        </ActWithReason>
      )}
    </>
  )
}
