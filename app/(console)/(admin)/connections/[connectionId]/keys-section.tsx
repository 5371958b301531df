'use client'
import type { KeyHealth, KeyListing } from '@toolgate/server/domains/connections/key-schemas'
import type {
  ConnectionListing,
  ConnectionTest,
} from '@toolgate/server/domains/connections/schemas'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { type PillState, StatePill } from '@/components/ui/state-pill'
import { WaitingTime } from '@/components/ui/waiting-time'
import { longestTestMs } from '@/lib/domains/connections/shape'
import { keyLabel } from '@/lib/domains/connections/shared/connection-settings'
import { secretsHost } from '@/lib/domains/connections/shared/wire-address'
import type { ActionResult } from '@/lib/next/action'
import { keyHealthWord, keyLimitWords } from '@/lib/protocol/model/failure-words'
import { secretField } from '@/lib/shape/field-shape'
import { changeFurtherKey, removeFurtherKey, removeKey, replaceKey } from '../actions'
import { TestResult } from '../connection-test'
import { AddKeyDialog, EditKeyDialog, RenewKeyDialog } from './key-dialogs'

type Asking = { type: 'edit' | 'renew' | 'remove'; key: KeyListing } | { type: 'add' } | null

/** Shows the keys that requests choose from: the connection's own and any others. */
export function KeysSection({
  connection,
  keys,
}: {
  connection: ConnectionListing
  keys: readonly KeyListing[]
}) {
  const [asking, setAsking] = useState<Asking>(null)
  const close = () => setAsking(null)
  const isAlone = keys.length === 1
  return (
    <Section
      id="key"
      title="Keys"
      action={
        <Button size="sm" onClick={() => setAsking({ type: 'add' })}>
          <KeyRound className="size-4" aria-hidden />
          Add key
        </Button>
      }
    >
      {!isAlone && <p className="text-muted">Requests are spread over ready keys by weight.</p>}
      <ul className="divide-y rounded-md border bg-surface-1">
        {keys.map((key) => (
          <KeyRow
            key={key.id ?? key.label}
            connectionId={connection.id}
            entry={key}
            isAlone={isAlone}
            ask={(type) => setAsking({ type, key })}
          />
        ))}
      </ul>
      {asking?.type === 'add' && <AddKeyDialog connection={connection} onClose={close} />}
      {asking?.type === 'edit' && (
        <EditKeyDialog connectionId={connection.id} entry={asking.key} onClose={close} />
      )}
      {asking?.type === 'renew' && (
        <RenewKeyDialog connection={connection} entry={asking.key} onClose={close} />
      )}
      {asking?.type === 'remove' && (
        <ActWithReason
          title={`Remove ${asking.key.label}`}
          failed="Not removed"
          done="Key removed"
          send={(reason) =>
            asking.key.isOwn
              ? removeKey({ id: connection.id, reason })
              : removeFurtherKey({ id: connection.id, key: nameOf(asking.key), reason })
          }
          onClose={close}
        >
          Later requests {isAlone ? 'are sent without a key' : 'use the other keys'}. It cannot be
          restored.
        </ActWithReason>
      )}
    </Section>
  )
}

/** Returns the id of the key, or its label: the connection's own key may have no id. */
function nameOf({ id, label }: KeyListing): string {
  return id ?? label
}

function KeyRow({
  connectionId,
  entry,
  isAlone,
  ask,
}: {
  connectionId: string
  entry: KeyListing
  isAlone: boolean
  ask: (type: 'edit' | 'renew' | 'remove') => void
}) {
  const { label, lastFour, weight, health, isOwn, updatedAt } = entry
  const named = <span className="sr-only"> {label}</span>
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <span className="font-medium text-strong [overflow-wrap:anywhere]">{label}</span>
      {lastFour !== '' && <code className="font-mono text-mono text-muted">…{lastFour}</code>}
      <StatePill state={pills[health.type]}>{keyHealthWord(health)}</StatePill>
      <span className="text-muted text-sm">
        Stored <RelativeTime at={updatedAt} />
        {!isAlone && <>, weight {weight}</>}, {keyLimitWords(entry)}
        <Until health={health} />
      </span>
      <span className="ms-auto flex flex-wrap items-center gap-1">
        {!isAlone && (
          <ReasonedSwitch
            id={connectionId}
            name={label}
            enabled={entry.enabled}
            send={({ enabled, reason }) =>
              changeFurtherKey({ id: connectionId, key: nameOf(entry), enabled, reason })
            }
          >
            Requests use the other keys.
          </ReasonedSwitch>
        )}
        <Button size="sm" variant="ghost" onClick={() => ask('edit')}>
          Edit…{named}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => ask('renew')}>
          Replace…{named}
        </Button>
        {(isAlone || !isOwn) && (
          <Button size="sm" variant="ghost" onClick={() => ask('remove')}>
            Remove…{named}
          </Button>
        )}
      </span>
      {health.type === 'paused' && health.advice !== '' && (
        <p className="w-full text-muted text-sm">{health.advice}</p>
      )}
    </li>
  )
}

const pills: Record<KeyHealth['type'], PillState> = {
  ready: 'ok',
  off: 'off',
  limited: 'waiting',
  paused: 'warning',
}

function Until({ health }: { health: KeyHealth }) {
  if (!('until' in health)) return null
  return (
    <>
      , ready <RelativeTime at={health.until} />
    </>
  )
}

/** Shows the form for the first key of a connection. The key is tested at the provider before it is stored. */
export function KeySection({ connection }: { connection: ConnectionListing }) {
  const { id, wire, settings } = connection
  const [refused, setRefused] = useState<{ key: string; test: ConnectionTest } | null>(null)
  const form = useActionForm({
    values: { apiKey: '', test: true },
    send: async (typed): Promise<ActionResult<null>> => {
      const result = await replaceKey({ id, ...typed, host: secretsHost(connection) })
      if (!result.ok) return result
      if (result.value.stored) return { ok: true, value: null }
      setRefused({ key: typed.apiKey, test: result.value.test })
      return { ok: false, error: { code: 'key-refused', message: refusedWords } }
    },
    saved: () => ({ apiKey: '', test: true }),
    done: 'Key stored',
  })
  const apiKey = form.watch('apiKey')
  const test = refused?.key === apiKey ? refused.test : null
  return (
    <Section id="key" title="Key">
      <p className="max-w-[72ch] text-muted">No key. A stored key is never shown again.</p>
      <Form form={form}>
        <FormField name="apiKey" shape={secretField(keyLabel(wire, settings) ?? 'API key')} />
        <div role="status">{test && <TestResult test={test} />}</div>
        <FormButtons button="Test and store">
          {test && <Button onClick={() => form.sendNow({ test: false })}>Store untested</Button>}
          {form.busy && <WaitingTime atMostMs={longestTestMs} />}
        </FormButtons>
      </Form>
    </Section>
  )
}

const refusedWords = 'The provider refused it.'
