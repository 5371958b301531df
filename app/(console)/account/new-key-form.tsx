'use client'
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
import type { CreateApiKey } from '@/lib/domains/api-keys/schemas'
import type { ActionResult } from '@/lib/next/action'
import { type ApiScope, scopesOf, sensitiveAmong } from '@/lib/protocol/api-scope'
import { noLimits } from '@/lib/protocol/key-limits'
import type { FieldShape } from '@/lib/shape/field-shape'
import { makeKey } from './actions'

const scopeWords = {
  'runs:write': 'Start and stop runs',
  'runs:read': 'List and read runs',
  'approvals:read': 'List calls waiting for approval',
  'approvals:write': 'Approve and deny calls',
  'memory:read': 'Read what runs remember for you',
  'memory:write': 'Change and delete what runs remember for you',
  'approval-rules:read': 'List rules',
  'approval-rules:write': 'Add, change and delete rules',
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
  'schedules:read': 'List and read schedules',
  'schedules:write': 'Add, change, run and delete schedules',
  'skills:read': 'List and read skills',
  'skills:write': 'Add, switch and attach skills',
  'usage:read': 'Read usage: model requests and their cost',
  'settings:read': 'Read the settings of the site',
  'settings:write': 'Change the settings of the site',
  'groups:read': 'List groups of people with their members',
  'groups:write': 'Add, change and delete groups of people',
  'servers:read': 'Read MCP servers and their tools',
  'servers:write': 'Add, change and delete MCP servers, and accept their tools',
  'channels:read': 'List and read channels, never their secrets',
  'channels:write': 'Add, change, test and delete channels',
  'workspaces:read': 'List workspaces and what tools wrote there',
  'workspaces:write': 'Add workspaces to read, delete workspaces, and undo what tools wrote there',
  'hosts:read': 'List and read the hosts that tools may read',
  'hosts:write': 'Add, change and delete these hosts',
  'search-endpoints:read': 'List and read search endpoints, never their keys',
  'search-endpoints:write': 'Add, change, test and delete search endpoints',
  'data-sources:read': 'List and read data sources and their opened tables, never their records',
  'data-sources:write': 'Add, change and delete data sources, and open and close tables',
  'sites:read': 'List and read sites, whose pages tools may read',
  'sites:write': 'Add, change, check and delete sites',
  'programs:read': 'List and read the programs that exec may run',
  'programs:write': 'Limit, switch off and delete these programs',
  'storages:read': 'List and read storages and their assets',
  'storages:write': 'Add, change and delete storages and their assets',
  'budgets:read': 'List budgets and their usage',
  'budgets:write': 'Add, change and delete budgets',
  'api-keys:read': 'List API keys, never the keys themselves',
  'api-keys:write': 'Limit other API keys to tools and configurations',
} as const satisfies Record<ApiScope, string>
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
    hint: 'Sensitive scopes allow what the console asks you to confirm your identity for. A limited key cannot have them, and no key may say which programs run on this server.',
    isColumn: true,
    choices: scopesOf(admin ? 'admin' : 'member').map((scope) => ({
      value: scope,
      label: scopeWords[scope],
      hint: sensitiveAmong([scope]).length > 0 ? `${scope} (sensitive)` : scope,
    })),
  }
  return (
    <FormDialog
      form={form}
      title="Add API key"
      button="Add API key"
      failed="The API key was not added"
      onClose={onClose}
    >
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
          Copy it now. It is shown only once; Toolgate stores only a hash of it.
        </ShownOnceDialog>
      )}
    </>
  )
}
