'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import type { ConnectionDetails } from '@/lib/domains/connections/schemas'
import { visibleText } from '@/lib/protocol/clean-text'
import { countOf } from '@/lib/protocol/format'
import { removeConnection, switchConnection } from '../actions'

/** Switches off and deletes the connection, after saying what that does to others. */
export function DangerZone({ connection }: { connection: ConnectionDetails }) {
  const { id, name, enabled, users } = connection
  const router = useRouter()
  const { busy, act } = useAct()
  const [asking, setAsking] = useState<'disable' | 'delete' | null>(null)
  const enable = () =>
    act(() => switchConnection({ id, enabled: true }), {
      done: `Switched on ${name}`,
      failed: `${name} was not switched on`,
    })
  const inUse = users.models.length > 0
  return (
    <Section title="Switch off or delete">
      <div className="flex max-w-3xl flex-col divide-y rounded-md border border-error/40 bg-surface-1">
        <div className="flex flex-wrap items-center justify-between gap-3 p-3">
          <p className="min-w-0 flex-1 basis-48">
            {enabled
              ? `If it is off, nothing is sent to it. ${affected(users)}`
              : 'It is off: nothing is sent to it.'}
          </p>
          {enabled ? (
            <Button onClick={() => setAsking('disable')}>Switch off…</Button>
          ) : (
            <Button loading={busy} onClick={enable}>
              Switch on
            </Button>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3 p-3">
          <p id="delete-hint" className="min-w-0 flex-1 basis-48">
            {inUse
              ? `It still has ${countOf(users.models.length, 'model')}. Delete them first.`
              : 'Its key and headers are deleted too. Past runs keep their records.'}
          </p>
          <Button
            variant="danger"
            disabled={inUse}
            aria-describedby="delete-hint"
            onClick={() => setAsking('delete')}
          >
            Delete…
          </Button>
        </div>
      </div>
      {asking === 'disable' && (
        <ActWithReason
          title={`Switch off ${name}`}
          failed="The connection was not switched off"
          done={`Switched off ${name}`}
          required="Give a reason: other people use this connection."
          send={(reason) => switchConnection({ id, enabled: false, reason })}
          onClose={() => setAsking(null)}
        >
          {affected(users)} Its active runs end.
        </ActWithReason>
      )}
      {asking === 'delete' && (
        <ActWithReason
          title={`Delete ${name}`}
          failed={`${name} was not deleted`}
          done={`Deleted ${name}`}
          send={(reason) => removeConnection({ id, reason })}
          onDone={() => router.push('/connections')}
          onClose={() => setAsking(null)}
        >
          Its key and headers are deleted too. This cannot be undone.
        </ActWithReason>
      )}
    </Section>
  )
}

const mostNames = 5

function affected({ configurations }: ConnectionDetails['users']): string {
  const closed = names(configurations.filter(({ primary }) => primary))
  const passed = names(configurations.filter(({ primary }) => !primary))
  const sentences = [
    closed && `These configurations can no longer run: ${closed}.`,
    passed && `These configurations lose a fallback: ${passed}.`,
  ].filter(Boolean)
  return sentences.length > 0 ? sentences.join(' ') : 'No configuration uses it.'
}

function names(configurations: { name: string }[]): string {
  const shown = configurations.slice(0, mostNames).map(({ name }) => visibleText(name))
  const rest = configurations.length - shown.length
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
