'use client'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { useToast } from '@/components/ui/toast'
import { Waited } from '@/components/ui/waited'
import { longestTestMs } from '@/lib/domains/connections/longest-test'
import type { ConnectionPreset } from '@/lib/domains/connections/presets'
import type { ConnectionTest } from '@/lib/domains/connections/schemas'
import type { ActionResult } from '@/lib/kernel/action'
import { keyLabel } from '@/lib/protocol/connection-settings'
import type { TrustZone } from '@/lib/protocol/model-target'
import { addConnection, testStored } from '../actions'
import { ConfirmZone, hostToConfirm } from '../confirm-zone'
import {
  type ConnectionDraft,
  draftOfPreset,
  emptyDraft,
  missingKey,
  needsKey,
  toNewConnection,
} from '../connection-draft'
import { ConnectionFields } from '../connection-fields'
import { outcomeWord } from '../connection-words'
import { FormEnd } from '../form-end'
import { HeaderRows } from '../header-rows'
import { LimitFields } from '../limit-fields'
import { SecretInput } from '../secret-input'
import { useConnectionForm } from '../use-connection-form'

/** Give it a `key` of the preset, so that another preset fills the form again. */
export function NewConnectionForm({ preset }: { preset: ConnectionPreset | null }) {
  const router = useRouter()
  const toast = useToast()
  const [asking, setAsking] = useState(false)
  const [toConfirm, setToConfirm] = useState<ToConfirm | null>(null)
  const add = async (draft: ConnectionDraft, confirmed = {}) => {
    const result = await sendAction(() =>
      addConnection({ ...toNewConnection(draft), ...confirmed }),
    )
    if (!result.ok) return result.error
    setToConfirm(null)
    state.leave()
    setAsking(true)
    const { id } = result.value
    const test = await sendAction(() => testStored({ id }))
    toast(addedToast(draft.name.trim(), test))
    if (form.current) router.push(`/connections/${id}`)
    return null
  }
  const save = async (draft: ConnectionDraft) => {
    const missing = missingKey(draft, preset)
    if (missing) return missing
    const host = await hostToConfirm(draft)
    if (host === null || draft.trustZone === '') return add(draft)
    setToConfirm({ draft, host, zone: draft.trustZone })
    return null
  }
  const state = useConnectionForm(null, preset ? draftOfPreset(preset) : emptyDraft, save)
  const { form, draft, errors, change, submit } = state
  const fields = { draft, errors: errors.fields, onChange: change }
  const secretLabel = keyLabel(draft.wire, draft.settings)
  return (
    <>
      <form ref={form} noValidate onSubmit={submit} className="flex max-w-160 flex-col gap-4">
        <fieldset disabled={asking} className="flex flex-col gap-4">
          <ConnectionFields {...fields}>
            {secretLabel !== null && (
              <Field
                id="api-key"
                label={secretLabel}
                optional={!needsKey(draft, preset)}
                hint={keyHint(preset)}
                error={errors.fields.apiKey}
              >
                {(control) => (
                  <SecretInput
                    {...control}
                    value={draft.apiKey}
                    onChange={(event) => change({ apiKey: event.target.value })}
                  />
                )}
              </Field>
            )}
          </ConnectionFields>
          {draft.wire !== 'demo' && (
            <>
              <fieldset className="flex flex-col gap-1">
                <legend className="mb-1 font-medium text-strong">
                  Additional headers <span className="font-normal text-muted">(optional)</span>
                </legend>
                <HeaderRows
                  rows={draft.headers}
                  error={errors.fields.headers}
                  onChange={(headers) => change({ headers })}
                />
              </fieldset>
              <LimitFields {...fields} />
            </>
          )}
        </fieldset>
        <FormEnd
          state={state}
          failed="The connection was not added"
          button={asking ? added : 'Add connection'}
        >
          {asking ? (
            <>
              <span role="status" className="sr-only">
                {added}
              </span>
              <Waited atMostMs={longestTestMs} />
            </>
          ) : (
            <Button asChild>
              <Link href="/connections">Cancel</Link>
            </Button>
          )}
        </FormEnd>
      </form>
      {toConfirm && (
        <ConfirmZone
          host={toConfirm.host}
          zone={toConfirm.zone}
          onSubmit={async (reason, confirmZone) => {
            const error = await add(toConfirm.draft, { reason, confirmZone })
            if (!error?.fields || error.fields.reason) return error
            setToConfirm(null)
            state.show(error)
            return null
          }}
          onClose={() => setToConfirm(null)}
        />
      )}
    </>
  )
}

/** The form values that wait until the trust zone is confirmed. */
type ToConfirm = { draft: ConnectionDraft; host: string; zone: TrustZone }

const added = 'Added. Testing it…'

type Added = Parameters<ReturnType<typeof useToast>>[0]

/** Returns the message about a new connection: an error when its first test failed, though it is stored. */
function addedToast(name: string, test: ActionResult<ConnectionTest>): Added {
  if (!test.ok) {
    const description = test.error.message
    return { tone: 'error', title: `Added ${name}. It was not tested`, description }
  }
  const { outcome, message: description } = test.value
  if (outcome === 'ok') return { tone: 'ok', title: `Added ${name}`, description }
  const word = outcomeWord(test.value).toLowerCase()
  return { tone: 'error', title: `Added ${name}, but the test failed: ${word}`, description }
}

function keyHint(preset: ConnectionPreset | null): string {
  const kept = 'It is encrypted in the vault and never shown again.'
  if (!preset) return kept
  if (preset.keyFrom === null) return `Only needed if the server requires one. ${kept}`
  return `Get one from ${preset.keyFrom}. ${kept}`
}
