'use client'
import { Form, FormFailure, SubmitButton } from '@/components/forms/form'
import { useFieldState } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Section } from '@/components/ui/section'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import { secretsHost } from '@/lib/protocol/wire-address'
import { changeHeaders } from '../actions'
import { filled, type HeaderRow } from '../connection-draft'
import { HeaderRows } from '../header-rows'
import { StoredHeaders } from './stored-headers'

/** Headers that go with every request: their names are shown, their values never again. */
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
    done: 'Saved the headers',
  })
  return (
    <Section title="Additional headers">
      <p className="max-w-[72ch] text-muted">
        For gateways that need more than a key. Values are encrypted in the vault and never shown
        again. To replace a value, enter the name again.
      </p>
      <StoredHeaders
        names={headerNames}
        remove={(name, reason) => changeHeaders({ id, headers: { [name]: null }, reason })}
      />
      <Form form={form} className="max-w-160 items-start gap-2">
        <Rows />
        <FormFailure title="The headers were not saved" />
        {filled(form.watch('headers')).length > 0 && <SubmitButton>Save headers</SubmitButton>}
      </Form>
    </Section>
  )
}

function Rows() {
  const { value, error, onChange } = useFieldState<HeaderRow[]>('headers')
  return <HeaderRows rows={value} error={error} onChange={onChange} />
}
