'use client'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form-dialog'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { CreateApiKey } from '@/lib/domains/api-keys/schemas'
import type { ActionResult } from '@/lib/kernel/action'
import { type ApiScope, scopesOf } from '@/lib/protocol/api-scope'

const scopeWords = {
  'runs:write': 'Start and stop runs',
  'runs:read': 'List and read runs',
  'approvals:read': 'List calls waiting for approval',
  'approvals:write': 'Approve and deny calls',
  'approval-rules:read': 'List approval rules',
  'approval-rules:write': 'Add, change and delete approval rules',
  'tools:read': 'List and explain tools, read the freeze state',
  'tools:write': 'Switch tools and groups, freeze the site',
  'connections:read': 'List and read connections, never their keys',
  'connections:write': 'Add, change and test connections, and replace keys',
  'models:read': 'List and read models with their prices',
  'models:write': 'Set prices of models',
  'configurations:read': 'List and read configurations',
  'configurations:write': 'Add and change configurations',
  'tasks:read': 'List and read the tasks you may run',
  'tasks:write': 'Add tasks',
  'skills:read': 'List and read skills',
  'skills:write': 'Add, switch and attach skills',
  'usage:read': 'Read usage: model requests and their cost',
  'settings:read': 'Read the settings of the site',
  'settings:write': 'Change the settings of the site',
  'budgets:read': 'List budgets and their usage',
  'budgets:write': 'Add, change and delete budgets',
} as const satisfies Record<ApiScope, string>
const usualScopes: ApiScope[] = ['runs:write', 'runs:read']
const endings = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'No expiry' },
]

export function NewKeyForm({
  admin,
  send,
  onMade,
  onClose,
}: {
  admin: boolean
  send: (key: CreateApiKey) => Promise<ActionResult<{ token: string }>>
  onMade: (token: string) => void
  onClose: () => void
}) {
  const [picked, setPicked] = useState<ApiScope[]>(usualScopes)
  const [ending, setEnding] = useState('90')
  const offered = scopesOf(admin ? 'admin' : 'member')
  const expiresInDays = ending === 'never' ? null : Number(ending)
  return (
    <FormDialog
      title="Add API key"
      button="Add API key"
      failed="The API key was not added"
      send={(text) => send({ name: text('name'), scopes: picked, expiresInDays })}
      onDone={({ token }) => onMade(token)}
      onClose={onClose}
      changed={picked !== usualScopes}
    >
      {(wrong, id) => (
        <>
          <Field id={`${id}-name`} label="Purpose" error={wrong.name}>
            {(control) => <Input {...control} name="name" autoComplete="off" />}
          </Field>
          <Scopes id={id} {...{ offered, picked }} error={wrong.scopes} onChange={setPicked} />
          <Field id={`${id}-ending`} label="Expires after">
            {(control) => (
              <Select {...control} options={endings} value={ending} onValueChange={setEnding} />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

function Scopes({
  id,
  offered,
  picked,
  error,
  onChange,
}: {
  id: string
  offered: readonly ApiScope[]
  picked: ApiScope[]
  error: string | undefined
  onChange: (picked: ApiScope[]) => void
}) {
  return (
    <fieldset aria-describedby={error && `${id}-scopes-error`}>
      <legend className="mb-1 font-medium text-strong">Scopes</legend>
      {offered.map((scope) => (
        <label
          key={scope}
          htmlFor={`${id}-${scope}`}
          className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-10"
        >
          <Checkbox
            id={`${id}-${scope}`}
            aria-invalid={error ? true : undefined}
            checked={picked.includes(scope)}
            onCheckedChange={(on) =>
              onChange(on ? [...picked, scope] : picked.filter((each) => each !== scope))
            }
          />
          {scopeWords[scope]} <code className="font-mono text-mono text-muted">{scope}</code>
        </label>
      ))}
      {error && (
        <p id={`${id}-scopes-error`} className="text-error text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}
