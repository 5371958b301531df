'use client'
import type { CreateApiKey } from '@toolgate/server/domains/api-keys/schemas'
import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { FormFields } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import {
  KeyLimitFields,
  type LimitChoices,
  limitsDraft,
  limitsOfDraft,
} from '@/components/people/key-limits'
import { ShownOnceDialog } from '@/components/people/shown-once-dialog'
import { Button } from '@/components/ui/button'
import type { ActionResult } from '@/lib/next/action'
import { type ApiScope, scopesOf, sensitiveAmong } from '@/lib/protocol/api-scope'
import { noLimits } from '@/lib/protocol/key-limits'
import { scopeWords } from '@/lib/protocol/scope-words'
import type { FieldShape } from '@/lib/shape/field-shape'
import { makeKey } from './actions'

const name: FieldShape = { kind: 'text', label: 'Purpose' }
const ending: FieldShape = {
  kind: 'select',
  label: 'Expires after',
  choices: [
    { value: '30', label: '30 days' },
    { value: '90', label: '90 days' },
    { value: '365', label: '1 year' },
    { value: 'never', label: 'No expiry' },
  ],
}
const usual: ApiScope[] = ['runs:write', 'runs:read']
const defaults = { name: '', scopes: usual, ending: '90', ...limitsDraft(noLimits) }

type FormProps = {
  admin: boolean
  /** Possible limits of the key; null: the reader may not limit keys. */
  choices: LimitChoices | null
  send: (key: CreateApiKey) => Promise<ActionResult<{ token: string }>>
  onMade: (token: string) => void
  onClose: () => void
}

export function NewKeyForm({ admin, choices, send, onMade, onClose }: FormProps) {
  const form = useActionForm({
    values: defaults,
    send: ({ name, scopes, ending, ...limits }) =>
      send({
        name,
        scopes,
        ...limitsOfDraft(limits),
        expiresInDays: ending === 'never' ? null : Number(ending),
      }),
    onDone: ({ token }) => onMade(token),
  })
  const scopes: FieldShape = {
    kind: 'checkboxes',
    label: 'Scopes',
    hint: 'A limited key cannot have sensitive scopes.',
    isColumn: true,
    choices: scopesOf(admin ? 'admin' : 'member').map((scope) => ({
      value: scope,
      label: scopeWords[scope],
      hint: sensitiveAmong([scope]).length > 0 ? `${scope} (sensitive)` : scope,
    })),
  }
  return (
    <FormDialog form={form} title="Add API key" button="Add API key" onClose={onClose}>
      <FormFields fields={{ name, scopes, ending }} />
      {choices && <KeyLimitFields choices={choices} />}
    </FormDialog>
  )
}

/** Asks what a key is for, then shows it once. */
export function NewKeyButton({ admin, choices }: Pick<FormProps, 'admin' | 'choices'>) {
  const [step, setStep] = useState<'closed' | 'asking' | { token: string }>('closed')
  const router = useRouter()
  const close = () => {
    setStep('closed')
    router.refresh()
  }
  return (
    <>
      <Button size="sm" onClick={() => setStep('asking')}>
        <Plus className="size-4" aria-hidden />
        Add API key
      </Button>
      {step === 'asking' && (
        <NewKeyForm
          admin={admin}
          choices={choices}
          send={(key) => makeKey(key)}
          onMade={(token) => setStep({ token })}
          onClose={() => setStep('closed')}
        />
      )}
      {typeof step === 'object' && (
        <ShownOnceDialog
          title="Your new API key"
          label="API key"
          text={step.token}
          what="key"
          onClose={close}
        >
          Copy it now: it is shown only once.
        </ShownOnceDialog>
      )}
    </>
  )
}
