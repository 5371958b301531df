'use client'
import { useState } from 'react'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { Waited } from '@/components/ui/waited'
import { longestTestMs } from '@/lib/domains/connections/longest-test'
import type { ConnectionListing, ConnectionTest } from '@/lib/domains/connections/schemas'
import type { ActionResult } from '@/lib/kernel/action'
import { keyLabel } from '@/lib/protocol/connection-settings'
import { secretField } from '@/lib/protocol/field-shape'
import { secretsHost } from '@/lib/protocol/wire-address'
import { replaceKey } from '../actions'
import { TestResult } from '../test-result'

/** The form for the first key of a connection. The key is tested at the provider before it is stored. */
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
    done: 'Stored the key',
  })
  const apiKey = form.watch('apiKey')
  const test = refused?.key === apiKey ? refused.test : null
  return (
    <Section id="key" title="Key">
      <p className="max-w-[72ch] text-muted">
        No key is stored. A key is encrypted in the vault and never shown again.
      </p>
      <Form form={form} className="max-w-160">
        <FormField name="apiKey" shape={secretField(keyLabel(wire, settings) ?? 'API key')} />
        <div role="status">{test && <TestResult test={test} />}</div>
        <FormButtons button="Test and store" failed="The key was not stored">
          {test && (
            <Button onClick={() => form.sendNow({ test: false })}>
              Store without a successful test
            </Button>
          )}
          {form.busy && <Waited atMostMs={longestTestMs} />}
        </FormButtons>
      </Form>
    </Section>
  )
}

const refusedWords = 'The provider did not accept it.'
