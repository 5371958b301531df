'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Section } from '@/components/ui/section'
import { useToast } from '@/components/ui/toast'
import { Waited } from '@/components/ui/waited'
import { longestTestMs } from '@/lib/domains/connections/longest-test'
import type { ConnectionListing, ConnectionTest } from '@/lib/domains/connections/schemas'
import type { ActionError } from '@/lib/kernel/action'
import { keyLabel } from '@/lib/protocol/connection-settings'
import { secretsHost } from '@/lib/protocol/secrets-host'
import { replaceKey } from '../actions'
import { SecretInput } from '../secret-input'
import { TestResult } from '../test-result'

/** The form for the first key of a connection. The key is tested at the provider before it is stored. */
export function KeySection({ connection }: { connection: ConnectionListing }) {
  const { id, wire, settings } = connection
  const router = useRouter()
  const toast = useToast()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState<'test' | 'store' | null>(null)
  const [refused, setRefused] = useState<ConnectionTest | null>(null)
  const [error, setError] = useState<ActionError | null>(null)
  useUnsavedGuard(typed !== '')

  const store = async (test: boolean) => {
    setBusy(test ? 'test' : 'store')
    setError(null)
    setRefused(null)
    const result = await sendAction(() =>
      replaceKey({ id, apiKey: typed, test, host: secretsHost(connection) }),
    )
    setBusy(null)
    if (!result.ok) return setError(result.error)
    if (!result.value.stored) return setRefused(result.value.test)
    setTyped('')
    toast({ tone: 'ok', title: 'Stored the key' })
    router.refresh()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy === null) void store(true)
  }
  return (
    <Section id="key" title="Key">
      <p className="max-w-[72ch] text-muted">
        No key is stored. A key is encrypted in the vault and never shown again.
      </p>
      <form noValidate onSubmit={submit} className="flex max-w-160 flex-col gap-3">
        <Field
          id="new-key"
          label={keyLabel(wire, settings) ?? 'API key'}
          error={error?.fields && Object.values(error.fields)[0]}
        >
          {(control) => (
            <SecretInput
              {...control}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setRefused(null)
              }}
            />
          )}
        </Field>
        {error && !error.fields && (
          <ErrorNotice title="The key was not stored">{error.message}</ErrorNotice>
        )}
        <div role="status">
          {refused && (
            <TestResult test={refused}>
              <span className="font-medium text-strong">The key was not stored.</span>
            </TestResult>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" loading={busy === 'test'}>
            Test and store
          </Button>
          {refused && (
            <Button loading={busy === 'store'} onClick={() => store(false)}>
              Store without a successful test
            </Button>
          )}
          {busy === 'test' && <Waited atMostMs={longestTestMs} />}
        </div>
      </form>
    </Section>
  )
}
