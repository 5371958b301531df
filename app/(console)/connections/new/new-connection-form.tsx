'use client'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { useToast } from '@/components/ui/toast'
import type { ConnectionPreset } from '@/lib/connections/presets'
import { addConnection } from '../actions'
import {
  type ConnectionDraft,
  draftOfPreset,
  emptyDraft,
  toNewConnection,
} from '../connection-draft'
import { ConnectionFields } from '../connection-fields'
import { FormEnd } from '../form-end'
import { HeaderRows } from '../header-rows'
import { LimitFields } from '../limit-fields'
import { SecretInput } from '../secret-input'
import { useConnectionForm } from '../use-connection-form'

/** Give it a `key` of the preset: another one fills it anew. */
export function NewConnectionForm({ preset }: { preset: ConnectionPreset | null }) {
  const router = useRouter()
  const toast = useToast()
  const save = async (draft: ConnectionDraft) => {
    const result = await sendAction(() => addConnection(toNewConnection(draft)))
    if (!result.ok) return result.error
    state.leave()
    toast({ tone: 'ok', title: `Added ${draft.name.trim()}` })
    router.push(`/connections/${result.value.id}`)
    return null
  }
  const state = useConnectionForm(null, preset ? draftOfPreset(preset) : emptyDraft, save)
  const { form, draft, errors, change, submit } = state
  const fields = { draft, errors: errors.fields, onChange: change }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex max-w-160 flex-col gap-4">
      <ConnectionFields {...fields} />
      {draft.wire !== 'demo' && (
        <>
          <Field
            id="api-key"
            label="API key"
            optional
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
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 font-medium text-strong">
              Further headers <span className="font-normal text-muted">(optional)</span>
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
      <FormEnd state={state} failed="The connection was not added" button="Add connection">
        <Button asChild>
          <Link href="/connections">Cancel</Link>
        </Button>
      </FormEnd>
    </form>
  )
}

function keyHint(preset: ConnectionPreset | null): string {
  const kept = 'It goes into the vault and is never shown again.'
  if (!preset) return kept
  if (preset.keyFrom === null) return `Only where the server was started with one. ${kept}`
  return `From ${preset.keyFrom}. ${kept}`
}
