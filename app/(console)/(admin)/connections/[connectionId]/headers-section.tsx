'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { useToast } from '@/components/ui/toast'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import { secretsHost } from '@/lib/protocol/secrets-host'
import { changeHeaders } from '../actions'
import { filled, type HeaderRow } from '../connection-draft'
import { connectionErrors } from '../connection-errors'
import { HeaderRows } from '../header-rows'
import { StoredHeaders } from './stored-headers'

/** Headers that go with every request: their names are shown, their values never again. */
export function HeadersSection({ connection }: { connection: ConnectionListing }) {
  const { id, headerNames } = connection
  const router = useRouter()
  const toast = useToast()
  const [rows, setRows] = useState<HeaderRow[]>([])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | undefined>()
  const wanted = filled(rows)
  useUnsavedGuard(wanted.length > 0)

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const headers = Object.fromEntries(wanted.map(({ name, value }) => [name, value]))
    const result = await sendAction(() =>
      changeHeaders({ id, headers, host: secretsHost(connection) }),
    )
    setBusy(false)
    if (!result.ok) {
      const { fields, general } = connectionErrors(result.error)
      return setError(fields.headers ?? general ?? result.error.message)
    }
    setRows([])
    setError(undefined)
    toast({ tone: 'ok', title: 'Saved the headers' })
    router.refresh()
  }
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
      <form noValidate onSubmit={save} className="flex max-w-160 flex-col items-start gap-2">
        <HeaderRows
          rows={rows}
          error={error}
          onChange={(next) => {
            setRows(next)
            setError(undefined)
          }}
        />
        {wanted.length > 0 && (
          <Button type="submit" variant="primary" loading={busy}>
            Save headers
          </Button>
        )}
      </form>
    </Section>
  )
}
