'use client'
import { type FormEvent, useId, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { ActionError } from '@/lib/action'
import type { ApiScope } from '@/lib/api-keys/schemas'
import { makeKey } from './actions'

const scopeWords = {
  'runs:write': 'Start and stop runs',
  'runs:read': 'List and read runs',
  'approvals:read': 'List what waits for a decision',
  'approvals:write': 'Approve and deny calls',
  'tools:read': 'List tools',
  'tools:write': 'Switch tools',
} as const satisfies Record<ApiScope, string>
const scopes = Object.keys(scopeWords) as ApiScope[]
const endings = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'No end' },
]

export function NewKeyForm({
  admin,
  onMade,
  onClose,
}: {
  admin: boolean
  onMade: (token: string) => void
  onClose: () => void
}) {
  const formId = useId()
  const [picked, setPicked] = useState<ApiScope[]>(['runs:write', 'runs:read'])
  const [ending, setEnding] = useState('90')
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const offered = scopes.filter((scope) => admin || !scope.startsWith('tools:'))

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '')
    const expiresInDays = ending === 'never' ? null : Number(ending)
    setBusy(true)
    const result = await sendAction(() => makeKey({ name, scopes: picked, expiresInDays }))
    setBusy(false)
    if (result.ok) return onMade(result.value.token)
    setError(result.error)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="New API key"
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" loading={busy}>
            Create key
          </Button>
        </>
      }
    >
      {error && !error.fields && <ErrorNotice title="No key was made">{error.message}</ErrorNotice>}
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field id={`${formId}-name`} label="What it is for" error={error?.fields?.name}>
          {(control) => <Input {...control} name="name" autoComplete="off" />}
        </Field>
        <fieldset>
          <legend className="mb-1 font-medium text-strong">It may</legend>
          {offered.map((scope) => (
            <label
              key={scope}
              htmlFor={`${formId}-${scope}`}
              className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-10"
            >
              <Checkbox
                id={`${formId}-${scope}`}
                checked={picked.includes(scope)}
                onCheckedChange={(on) =>
                  setPicked(on ? [...picked, scope] : picked.filter((each) => each !== scope))
                }
              />
              {scopeWords[scope]}
              <code className="font-mono text-mono text-muted">{scope}</code>
            </label>
          ))}
          {error?.fields?.scopes && <p className="text-error text-sm">{error.fields.scopes}</p>}
        </fieldset>
        <Field id={`${formId}-ending`} label="Good for">
          {(control) => (
            <Select {...control} options={endings} value={ending} onValueChange={setEnding} />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
