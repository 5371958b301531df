'use client'
import type { ConnectionPreset } from '@toolgate/server/domains/connections/presets'
import type { ConnectionTest } from '@toolgate/server/domains/connections/schemas'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Form } from '@/components/forms/form'
import { FormField, useFieldState } from '@/components/forms/form-field'
import { sendAction } from '@/components/forms/use-act'
import {
  draftOfPreset,
  emptyDraft,
  type HeaderRow,
  missingKey,
  needsKey,
  toNewConnection,
} from '@/components/nouns/connection-draft'
import { ConnectionFields, LimitFields } from '@/components/nouns/connection-fields'
import { Button } from '@/components/ui/button'
import { useToast } from '@/components/ui/toast'
import { WaitingTime } from '@/components/ui/waiting-time'
import { longestTestMs } from '@/lib/domains/connections/shape'
import { keyLabel } from '@/lib/domains/connections/shared/connection-settings'
import type { ActionResult } from '@/lib/next/action'
import { secretField } from '@/lib/shape/field-shape'
import { addConnection, testStored } from '../actions'
import { FormEnd, useConnectionForm } from '../connection-form'
import { outcomeWord } from '../connection-words'
import { HeaderRows } from '../header-rows'
import { ZoneDialog } from '../zone-questions'

/** Shows the form of a new connection. Give it a `key` of the preset, so that another preset fills the form again. */
export function NewConnectionForm({ preset }: { preset: ConnectionPreset | null }) {
  const router = useRouter()
  const toast = useToast()
  const [isTesting, setIsTesting] = useState(false)
  const state = useConnectionForm({
    initial: preset ? draftOfPreset(preset) : emptyDraft,
    missing: (typed) => missingKey(typed, preset),
    send: ({ reason, confirmZone, ...typed }) =>
      addConnection({
        ...toNewConnection(typed),
        ...(confirmZone === '' ? {} : { reason, confirmZone }),
      }),
    leaves: true,
    onDone: async ({ id }, { name }) => {
      setIsTesting(true)
      const test = await sendAction(() => testStored({ id }))
      toast(addedToast(name.trim(), test))
      if (form.element.current) router.push(`/connections/${id}`)
    },
  })
  const { form, draft, question } = state
  const secretLabel = keyLabel(draft.wire, draft.settings)
  return (
    <>
      <Form form={form} className="max-w-160 gap-4">
        <fieldset disabled={isTesting} className="flex flex-col gap-4">
          <ConnectionFields draft={draft}>
            {secretLabel !== null && (
              <FormField
                name="apiKey"
                shape={{ ...secretField(secretLabel), optional: !needsKey(draft, preset) }}
                hint={keyHint(preset)}
              />
            )}
          </ConnectionFields>
          {draft.wire !== 'demo' && (
            <>
              <HeadersField />
              <LimitFields draft={draft} />
            </>
          )}
        </fieldset>
        <FormEnd state={state} button={isTesting ? added : 'Add connection'}>
          {isTesting ? (
            <>
              <span role="status" className="sr-only">
                {added}
              </span>
              <WaitingTime atMostMs={longestTestMs} />
            </>
          ) : (
            <Button asChild>
              <Link href="/connections">Cancel</Link>
            </Button>
          )}
        </FormEnd>
      </Form>
      {question && <ZoneDialog id={null} name={draft.name} {...question} />}
    </>
  )
}

function HeadersField() {
  const { value, error, onChange } = useFieldState<HeaderRow[]>('headers')
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium text-strong">
        Headers <span className="font-normal text-muted">(optional)</span>
      </legend>
      <HeaderRows rows={value} error={error} onChange={onChange} />
    </fieldset>
  )
}

const added = 'Added. Testing it…'

type Added = Parameters<ReturnType<typeof useToast>>[0]

/** Returns the message about a new connection: an error when its first test failed, though it is stored. */
function addedToast(name: string, test: ActionResult<ConnectionTest>): Added {
  if (!test.ok) {
    const description = test.error.message
    return { tone: 'error', title: `Added ${name}, not tested`, description }
  }
  const { outcome, message: description } = test.value
  if (outcome === 'ok') return { tone: 'ok', title: `Added ${name}`, description }
  const word = outcomeWord(test.value).toLowerCase()
  return { tone: 'error', title: `Added ${name}. Test failed: ${word}`, description }
}

function keyHint(preset: ConnectionPreset | null): string {
  if (!preset) return 'Never shown again.'
  if (preset.keyFrom === null) return 'If the server requires one. Never shown again.'
  return `From ${preset.keyFrom}. Never shown again.`
}
