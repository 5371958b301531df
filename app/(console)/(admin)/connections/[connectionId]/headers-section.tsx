'use client'
import type { ConnectionListing } from '@toolgate/server/domains/connections/schemas'
import { useState } from 'react'
import { Form, FormFailure, SubmitButton } from '@/components/forms/form'
import { useFieldState } from '@/components/forms/form-field'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { notSaved } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { filled, type HeaderRow } from '@/components/nouns/connection-draft'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { secretsHost } from '@/lib/domains/connections/shared/wire-address'
import type { ActionResult } from '@/lib/next/action'
import { changeHeaders } from '../actions'
import { HeaderRows } from '../header-rows'

/** Shows the headers of every request: their names, and never their values. */
export function HeadersSection({ connection }: { connection: ConnectionListing }) {
  const { id, headerNames } = connection
  const form = useActionForm<{ headers: HeaderRow[] }, unknown>({
    values: { headers: [] },
    send: ({ headers }) =>
      changeHeaders({
        id,
        headers: Object.fromEntries(filled(headers).map(({ name, value }) => [name, value])),
        host: secretsHost(connection),
      }),
    fieldOf: (path) => path.split('.')[0] ?? '',
    saved: () => ({ headers: [] }),
    done: 'Headers saved',
  })
  return (
    <Section title="Headers">
      <p className="max-w-[72ch] text-muted">
        Values are never shown again. Enter a name again to replace its value.
      </p>
      <StoredHeaders
        names={headerNames}
        remove={(name, reason) => changeHeaders({ id, headers: { [name]: null }, reason })}
      />
      <Form form={form} className="items-start gap-2">
        <Rows />
        <FormFailure title={notSaved} />
        {filled(form.watch('headers')).length > 0 && <SubmitButton>Save</SubmitButton>}
      </Form>
    </Section>
  )
}

function Rows() {
  const { value, error, onChange } = useFieldState<HeaderRow[]>('headers')
  return <HeaderRows rows={value} error={error} onChange={onChange} />
}

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
      <ul className="divide-y rounded-md border bg-surface-1">
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
          failed="Not removed"
          done={`Removed ${asking}`}
          send={(reason) => remove(asking, reason)}
          onClose={() => setAsking(null)}
        >
          Later requests are sent without it. Its value cannot be restored.
        </ActWithReason>
      )}
    </>
  )
}
